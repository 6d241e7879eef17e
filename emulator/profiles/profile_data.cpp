// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emulator/profiles/profile_data.h"

#include "emulator/profiles/profile.h"
#include "emulator/profiles/profile_facts.h"

#include <algorithm>
#include <cstring>

namespace us::profiles {
namespace {

/// A profile with what its base adds.
Expected<Json> read(std::string_view word) {
  for (const ProfileText &text : profileTexts()) {
    if (text.word != word) continue;
    Json profile = Json::parse(text.json);
    if (!profile.contains("base")) return profile;
    US_TRY(Json whole, read(profile["base"].get<std::string>()));
    whole.erase("abstract");
    whole.merge_patch(profile);
    return whole;
  }
  std::string known = "understudy";
  for (const ProfileLine &line : profileLines()) known += ", " + line.word;
  return fail(ErrorCode::InvalidValue,
              "'" + std::string(word) + "' is no device that is known here; these are: " + known);
}

Expected<Json> readDevice(std::string_view word) {
  US_TRY(Json profile, read(word));
  if (profile.value("abstract", false))
    return fail(ErrorCode::InvalidValue, "'" + std::string(word) + "' is no device");
  return profile;
}

VendorFact vendorFact(const Json &fact) {
  if (fact.is_string()) return fact.get<std::string>();
  if (fact.is_array()) return fact.get<std::vector<uint64_t>>();
  return fact.get<uint64_t>();
}

/// The work-items of the real device's sub-groups, `ours` if it has such; 0: it has none, or it is not known.
uint64_t subGroupWidth(const Json &facts, uint32_t ours) {
  for (const char *query : {"CL_DEVICE_WARP_SIZE_NV", "CL_DEVICE_WAVEFRONT_WIDTH_AMD"})
    if (facts.contains(query)) return facts[query].get<uint64_t>();
  if (facts.contains("CL_DEVICE_SUB_GROUP_SIZES_INTEL"))
    return std::ranges::find(facts["CL_DEVICE_SUB_GROUP_SIZES_INTEL"], Json(ours)) !=
                   facts["CL_DEVICE_SUB_GROUP_SIZES_INTEL"].end()
               ? ours
               : facts["CL_DEVICE_SUB_GROUP_SIZES_INTEL"].front().get<uint64_t>();
  const uint64_t groups = facts.value("CL_DEVICE_MAX_NUM_SUB_GROUPS", uint64_t(0));
  return groups ? facts.value("CL_DEVICE_MAX_WORK_GROUP_SIZE", uint64_t(0)) / groups : 0;
}

class Pretender {
public:
  Pretender(std::string_view word, const Json &profile, const DeviceInfo &ours)
      : profile_(profile), facts_(profile.at("opencl")), ours_(ours), info_(ours) {
    info_.profileName = word;
  }

  DeviceInfo make() {
    info_.name = profile_.at("title").get<std::string>();
    if (profile_.value("partial", false))
      differs("not every fact of the real device is known: what is missing is as on our own device");
    // The work-group size first: it is also every dimension's unless that is known.
    if (facts_.contains("CL_DEVICE_MAX_WORK_GROUP_SIZE")) set("CL_DEVICE_MAX_WORK_GROUP_SIZE");
    for (const auto &[query, fact] : facts_.items())
      if (query != "CL_DEVICE_MAX_WORK_GROUP_SIZE") set(query);
    // Nobody has measured it, and of the devices that are known here none says more.
    if (!facts_.contains("CL_DEVICE_VERSION") && ours_.version.starts_with("OpenCL 3.1"))
      info_.version.replace(7, 3, "3.0");
    if (!facts_.contains("CL_DRIVER_VERSION")) info_.driverVersion = "Understudy " + ours_.driverVersion;
    settle();
    setSubGroups();
    setExtensions();
    setSubGroupSizes();
    setFeatures();
    setFormats();
    setCuda();
    std::memset(info_.uuid.data(), 0, 15);
    std::memcpy(info_.uuid.data(), "us ", 3);
    std::memcpy(info_.uuid.data() + 3, info_.profileName.data(), std::min<size_t>(info_.profileName.size(), 12));
    return std::move(info_);
  }

private:
  void differs(std::string sentence) { info_.differences.push_back(std::move(sentence)); }

  void set(const std::string &query) {
    const Json &fact = facts_[query];
    if (const SetFact setter = factNamed(query)) {
      const Json answer = setter(info_, ours_, fact);
      if (answer != fact) differs(query + ": " + answer.dump() + " here, " + fact.dump() + " on the real device");
    } else if (query.ends_with("_NV") || query.ends_with("_AMD")) {
      info_.vendorFacts[query] = vendorFact(fact);
    } else if (query != "CL_DEVICE_EXTENSIONS" && query != "CL_DEVICE_OPENCL_C_FEATURES" &&
               query != "CL_DEVICE_PARTITION_PROPERTIES" && query != "CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES") {
      differs(query + ": not answered here, " + fact.dump() + " on the real device");
    }
  }

  /// What facts mean for others.
  void settle() {
    info_.globalMemory = std::min(info_.globalMemory, ours_.globalMemory);
    info_.maxAllocation = std::min(info_.maxAllocation, info_.globalMemory);
    info_.maxConstantBuffer = std::min(info_.maxConstantBuffer, info_.maxAllocation);
    info_.maxProgramVariable = std::min(info_.maxProgramVariable, info_.maxAllocation);
    if (facts_.contains("CL_DEVICE_PARTITION_PROPERTIES") && facts_["CL_DEVICE_PARTITION_PROPERTIES"].front() == 0)
      info_.maxSubDevices = 0;
    if (info_.maxSubDevices == 0) info_.affinityDomains = 0;
    if (info_.maxComputeUnits <= 1) info_.maxSubDevices = 0;
  }

  // Sub-groups of another width than the real device's would be a lie (docs/decisions/0020-profiles.md).
  void setSubGroups() {
    const uint64_t width = subGroupWidth(facts_, info_.subGroupSize);
    const bool has = facts_.value("CL_DEVICE_MAX_NUM_SUB_GROUPS", uint64_t(1)) != 0;
    if (std::ranges::find(info_.subGroupSizes, width) != info_.subGroupSizes.end())
      info_.subGroupSize = static_cast<uint32_t>(width);
    subGroups_ = has && (width == 0 || width == info_.subGroupSize);
    if (subGroups_) return;
    info_.maxSubGroups = 0;
    info_.independentForwardProgress = false;
    if (has)
      differs("sub-groups have " + std::to_string(width) + " work-items on the real device, and are not offered here");
  }

  void setSubGroupSizes() {
    if (!subGroups_) return;
    if (!hasName(info_.extensions, "cl_intel_required_subgroup_size")) info_.subGroupSizes.clear();
    const uint32_t least = info_.subGroupSizes.empty() ? info_.subGroupSize : info_.subGroupSizes.front();
    info_.maxSubGroups = static_cast<uint32_t>((info_.maxWorkGroupSize + least - 1) / least);
  }

  void setExtensions() {
    if (!facts_.contains("CL_DEVICE_EXTENSIONS")) {
      std::erase_if(info_.extensions, [&](const NamedVersion &entry) { return !possible(entry.name); });
      return;
    }
    info_.extensions.clear();
    for (const Json &entry : facts_["CL_DEVICE_EXTENSIONS"]) {
      const std::string name = entry.get<std::string>();
      const auto known = std::ranges::find(ours_.extensions, name, &NamedVersion::name);
      if (known != ours_.extensions.end() && possible(name))
        info_.extensions.push_back(*known);
      else if (name == "cl_nv_device_attribute_query" || name == "cl_amd_device_attribute_query")
        info_.extensions.push_back({name, 1u << 22});
      else
        differs(name + " is not offered here");
    }
    // Every device of our platform is reached through the loader.
    if (!hasName(info_.extensions, "cl_khr_icd") && hasName(ours_.extensions, "cl_khr_icd"))
      info_.extensions.push_back(*std::ranges::find(ours_.extensions, "cl_khr_icd", &NamedVersion::name));
  }

  /// False for what the facts rule out.
  bool possible(std::string_view name) const {
    if (name.find("fp64") != name.npos) return info_.doubleFpConfig != 0;
    if (name.find("fp16") != name.npos) return info_.halfFpConfig != 0;
    if (name.find("subgroup") != name.npos || name.find("sub_group") != name.npos) return subGroups_;
    if (name.find("image") != name.npos) return info_.images;
    if (name.find("generic_address_space") != name.npos) return info_.genericAddressSpace;
    if (name.find("program_scope_global_variables") != name.npos) return info_.maxProgramVariable != 0;
    if (name.find("work_group_collective") != name.npos) return info_.workGroupCollectives;
    if (name.find("read_write_images") != name.npos) return info_.maxReadWriteImageArguments != 0;
    if (name == "__opencl_c_pipes")
      return info_.maxPipeArguments != 0 && facts_.value("CL_DEVICE_PIPE_SUPPORT", 1) != 0;
    if (name == "__opencl_c_device_enqueue")
      return info_.maxDeviceQueues != 0 && info_.genericAddressSpace && info_.maxProgramVariable != 0;
    if (name == "cl_khr_il_program") return !info_.ils.empty();
    return true;
  }

  void setFeatures() {
    const auto &list = facts_.contains("CL_DEVICE_OPENCL_C_FEATURES") ? facts_["CL_DEVICE_OPENCL_C_FEATURES"] : Json();
    std::erase_if(info_.openclCFeatures, [&](const NamedVersion &entry) {
      return !possible(entry.name) || (!list.is_null() && std::ranges::find(list, Json(entry.name)) == list.end());
    });
    // A feature that stands for an extension goes with it.
    for (const auto &[feature, extension] : {std::pair{"integer_dot_product", "cl_khr_integer_dot_product"},
                                             {"kernel_clock", "cl_khr_kernel_clock"},
                                             {"__opencl_c_ext_fp", "cl_ext_float_atomics"}})
      if (!hasName(info_.extensions, extension))
        std::erase_if(info_.openclCFeatures,
                      [&](const NamedVersion &entry) { return entry.name.find(feature) != std::string::npos; });
    if (!list.is_null())
      for (const Json &name : list)
        if (!hasName(info_.openclCFeatures, name.get<std::string>()))
          differs(name.get<std::string>() + " is not offered here");
    settleVersion(info_);
    if (info_.doubleFpConfig == 0) info_.preferredWidths.double_ = info_.nativeWidths.double_ = 0;
  }

  void setFormats() {
    if (!profile_.contains("formats")) return;
    const auto set = [&](const char *access, std::vector<ImageFormat> &formats) {
      if (!profile_["formats"].contains(access)) return;
      formats = formatsAmong(formats, profile_["formats"][access]);
      const size_t real = profile_["formats"][access].size();
      if (formats.size() != real)
        differs(std::to_string(formats.size()) + " image formats for " + access + " here, " + std::to_string(real) +
                " on the real device");
    };
    set("READ_ONLY", info_.formatsRead);
    set("WRITE_ONLY", info_.formatsWrite);
    set("READ_WRITE", info_.formatsReadWrite);
  }

  void setCuda() {
    if (!profile_.contains("cuda") || profile_["cuda"].is_null()) return;
    const Json &cuda = profile_["cuda"];
    for (const auto &[name, value] : cuda["attributes"].items())
      if (value.is_number()) info_.cudaAttributes[name] = value.get<int64_t>();
    for (const auto &[name, value] : cuda["derived_attributes"].items()) {
      if (!value.is_number()) continue;
      info_.cudaAttributes.emplace(name, value.get<int64_t>());
      info_.cudaDerived.push_back(name);
    }
  }

  const Json &profile_, &facts_;
  const DeviceInfo &ours_;
  DeviceInfo info_;
  bool subGroups_ = true;
};

} // namespace

std::vector<ProfileLine> profileLines() {
  std::vector<ProfileLine> lines;
  for (const ProfileText &text : profileTexts()) {
    const Json profile = Json::parse(text.json);
    if (profile.value("abstract", false)) continue;
    lines.push_back({std::string(text.word), profile["title"].get<std::string>()});
    if (profile.value("partial", false)) lines.back().title += " (known in part)";
  }
  return lines;
}

Expected<uint64_t> profileMemory(std::string_view word) {
  US_TRY(Json profile, readDevice(word));
  return profile["opencl"].value("CL_DEVICE_GLOBAL_MEM_SIZE", uint64_t(0));
}

Expected<DeviceInfo> pretend(std::string_view word, const DeviceInfo &ours) {
  US_TRY(Json profile, readDevice(word));
  return Pretender(word, profile, ours).make();
}

} // namespace us::profiles
