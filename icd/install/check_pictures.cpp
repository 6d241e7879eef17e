// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "icd/install/check_pictures.h"

#include "icd/install/words.h"

#include <algorithm>
#include <cstdio>

namespace us::install {
namespace {

constexpr uint64_t kMostItems = 4096;
constexpr uint64_t kRow = 32; ///< work-items of a line, as in a sub-group
constexpr uint64_t kCell = 12, kStep = 14, kMargin = 40;

std::string sizeText(const std::array<uint64_t, 3> &size, const char *between) {
  return std::to_string(size[0]) + between + std::to_string(size[1]) + between + std::to_string(size[2]);
}

/// An exact one is scrolled where there is little room; others get smaller.
std::string figure(uint64_t width, uint64_t height, bool isExact, const std::string &content,
                   const std::string &caption) {
  const std::string size = std::to_string(width) + " " + std::to_string(height);
  return "<figure><div class=\"wide\" tabindex=\"0\"><svg" + std::string(isExact ? " class=\"exact\"" : "") +
         " viewBox=\"0 0 " + size + "\" width=\"" + std::to_string(width) + "\" height=\"" + std::to_string(height) +
         "\" role=\"img\" aria-label=\"" + markup(caption) + "\">" + content + "</svg></div><figcaption>" +
         markup(caption) + "</figcaption></figure>\n";
}

} // namespace

std::string gridPicture(const CheckGrid &grid) {
  uint64_t items = 1;
  for (const uint64_t size : grid.localSize) {
    if (size == 0 || size > kMostItems) return {};
    items *= size;
  }
  if (items > kMostItems) return {};
  std::vector<bool> marked(items);
  for (const uint64_t item : grid.items)
    if (item < items) marked[item] = true;
  // One dimension is broken into lines; of three, each slice is set apart.
  const auto [x, y, z] = grid.localSize;
  const uint64_t columns = y * z == 1 ? std::min(x, kRow) : x;
  const uint64_t lines = (items + columns - 1) / columns;
  const auto top = [&](uint64_t line) { return line * kStep + (y * z == 1 ? 0 : line / y * kStep); };
  std::string plain, found, labels;
  for (uint64_t item = 0; item < items; ++item) {
    const uint64_t line = item / columns;
    (marked[item] ? found : plain) += "M" + std::to_string(kMargin + item % columns * kStep) + " " +
                                      std::to_string(top(line)) + "h" + std::to_string(kCell) + "v" +
                                      std::to_string(kCell) + "h-" + std::to_string(kCell) + "z";
    if (item % columns == 0)
      labels += "<text x=\"" + std::to_string(kMargin - 6) + "\" y=\"" + std::to_string(top(line) + 10) + "\">" +
                std::to_string(item) + "</text>";
  }
  return figure(kMargin + columns * kStep, top(lines - 1) + kStep, /*isExact=*/true,
                "<g class=\"ids\">" + labels + "</g><path class=\"plain\" d=\"" + plain +
                    "\"/><path class=\"found\" d=\"" + found + "\"/>",
                "work-group (" + sizeText(grid.group, ", ") + ") of " + sizeText(grid.numGroups, " × ") + ", with " +
                    sizeText(grid.localSize, " × ") +
                    " work-items: " + std::to_string(std::ranges::count(marked, true)) + " have the finding");
}

std::string stripPicture(const CheckStrip &strip) {
  constexpr double kWidth = 640;
  const auto bytes = static_cast<double>(strip.bytes), from = static_cast<double>(strip.from),
             to = std::max(static_cast<double>(strip.to), from);
  // What lies far away is drawn at the edge: the allocation would become a point.
  const double around = std::max(bytes / 2, 16.0);
  const double first = std::clamp(from, -around, 0.0),
               last = std::max(std::clamp(to, bytes, bytes + around), first + 1);
  const auto at = [&](double byte) {
    return static_cast<uint64_t>((std::clamp(byte, first, last) - first) / (last - first) * kWidth);
  };
  const auto box = [](const char *kind, uint64_t begin, uint64_t end, const char *rest) {
    return "<rect class=\"" + std::string(kind) + "\" x=\"" + std::to_string(begin + 2) + "\" width=\"" +
           std::to_string(std::max<uint64_t>(end - begin, 3)) + "\" " + rest + "/>";
  };
  std::string content = box("plain", at(0), at(bytes), "y=\"6\" height=\"20\"");
  content += box("found", at(from), std::max(at(to), at(from)), "y=\"2\" height=\"28\"");
  const bool isBefore = from<first, isBehind = to> last;
  if (isBefore) content += "<text x=\"2\" y=\"46\">← farther</text>";
  if (isBehind) content += "<text x=\"640\" y=\"46\" text-anchor=\"end\">farther →</text>";
  std::string where;
  if (strip.from < 0) where = "it begins " + plural(0 - static_cast<uint64_t>(strip.from), "byte") + " before";
  if (strip.to > 0 && static_cast<uint64_t>(strip.to) > strip.bytes)
    where += (where.empty() ? "it ends " : ", and ends ") +
             plural(static_cast<uint64_t>(strip.to) - strip.bytes, "byte") + " behind";
  const std::string touched =
      strip.to > strip.from && strip.to - 1 > strip.from
          ? "bytes " + std::to_string(strip.from) + " to " + std::to_string(strip.to - 1) + " were touched"
          : "byte " + std::to_string(strip.from) + " was touched";
  return figure(648, isBefore || isBehind ? 52 : 32, /*isExact=*/false, content,
                "an allocation of " + plural(strip.bytes, "byte") + "; " + touched +
                    (where.empty() ? "" : ": " + where));
}

} // namespace us::install
