// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/forward/loader/vendor_files.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

namespace us::forward {
namespace {
namespace fs = std::filesystem;

class VendorFiles : public testing::Test {
protected:
  void SetUp() override {
    folder = testing::TempDir() + "/us_vendor_files";
    fs::remove_all(folder);
    fs::create_directories(folder + "/system");
    fs::create_directories(folder + "/other");
    write("system/b.icd", "/usr/lib/libb.so.1\n");
    write("system/a.icd", "liba.so \r\nsecond line");
    write("system/.hidden.icd", "/hidden.so");
    write("system/readme.txt", "/readme.so");
    write("other/c.icd", "/c.so");
    places.system = folder + "/system";
  }
  void TearDown() override { fs::remove_all(folder); }
  void write(const std::string &name, const std::string &text) { std::ofstream(folder + "/" + name) << text; }
  static std::string librariesOf(const std::vector<Candidate> &candidates) {
    std::string all;
    for (const Candidate &one : candidates) all += (one.problem.empty() ? one.library : "(" + one.problem + ")") + " ";
    return all;
  }

  std::string folder;
  VendorPlaces places;
};

TEST_F(VendorFiles, TheSystemsFolderIsReadByName) {
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "liba.so /usr/lib/libb.so.1 ");
  EXPECT_EQ(visibleDrivers(places)[0].file, folder + "/system/a.icd");
}

TEST_F(VendorFiles, TheEnvironmentNamesOthers) {
  places.vendors = folder + "/other";
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "/c.so ");
  EXPECT_EQ(librariesOf(systemDrivers(places)), "liba.so /usr/lib/libb.so.1 ");
  places.vendors = folder + "/other/c.icd";
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "/c.so ");
  places.vendors = "b.icd"; // in the system's folder
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "/usr/lib/libb.so.1 ");
  places.vendors = "/x/liby.so";
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "/x/liby.so ");
  places.vendors.clear();
  places.vendorPath = folder + "/other";
  places.libraryList = "/d.so:/e.so";
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "/c.so /d.so /e.so ");
}

TEST_F(VendorFiles, DriversAreNamedInThreeWays) {
  EXPECT_EQ(librariesOf(namedDrivers("a,b.icd", places)), "liba.so /usr/lib/libb.so.1 ");
  EXPECT_EQ(librariesOf(namedDrivers(folder + "/other/c.icd,/x/liby.so,libz.so.2", places)),
            "/c.so /x/liby.so libz.so.2 ");
  EXPECT_EQ(librariesOf(namedDrivers("nobody", places)), "(cannot be read: No such file or directory) ");
}

TEST_F(VendorFiles, WhatIsNoVendorsFileIsSaid) {
  write("other/c.icd", "");
  write("other/d.icd", std::string(10000, 'x'));
  write("other/e.icd", std::string("\0/bin/sh", 8));
  places.vendors = folder + "/other";
  EXPECT_EQ(librariesOf(visibleDrivers(places)),
            "(names no library) (is no vendor's file: its first line is too long) (names no library) ");
  places.vendors = folder + "/nowhere.icd";
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "(cannot be read: No such file or directory) ");
  places.vendors.clear();
  places.system = folder + "/nowhere";
  EXPECT_EQ(librariesOf(visibleDrivers(places)), "");
}

} // namespace
} // namespace us::forward
