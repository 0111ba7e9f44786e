#include "tests/golden/test_vectors.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

namespace oneline {
namespace {

// Of a line `form NAME=VALUE ...  # what is special about it`.
TestVector ParseHead(const std::string& line) {
  TestVector vector;
  const size_t comment = line.find("  # ");
  if (comment != line.npos) vector.what = line.substr(comment + 4);
  std::istringstream words(line.substr(0, comment));
  words >> vector.form;
  for (std::string word; words >> word;) {
    const size_t end = word.find('=');
    const std::string name = word.substr(0, end), value = word.substr(end + 1);
    const auto number = [&](int base) {
      return std::strtoull(value.c_str(), nullptr, base);
    };
    if (name == "name") vector.name = value;
    if (name == "keys") vector.keys = value;
    if (name == "added") vector.num_added = number(10);
    if (name == "seed") vector.seed = number(16);
    if (name == "kind") vector.kind = value;
    if (name == "bits") vector.bits_per_key = std::strtod(&value[0], nullptr);
    if (name == "parameter") vector.parameter = number(10);
    if (name == "level") vector.level = number(10);
    if (name == "answers") vector.answers = value;
  }
  return vector;
}

}  // namespace

std::string TestVector::Key(size_t i) const {
  if (keys == "text") return i == 0 ? "" : "key" + std::to_string(i);
  std::string key(i, '\0');
  for (size_t j = 0; j < i; ++j) {
    key[j] = static_cast<char>((i + 31 * j + 128) % 256);
  }
  return key;
}

const std::vector<TestVector>& PinnedVectors() {
  static const auto& vectors = *[] {
    auto* parsed = new std::vector<TestVector>;
    std::ifstream file(kVectorsFile);
    for (std::string line; std::getline(file, line);) {
      if (line.empty() || line[0] == '#') continue;
      const bool is_key = line.rfind("key ", 0) == 0;
      if (is_key) {
        parsed->back().spells_keys = true;
      } else if (line.find(' ') != line.npos) {
        parsed->push_back(ParseHead(line));
      } else {
        for (size_t i = 0; i + 1 < line.size(); i += 2) {
          parsed->back().bytes +=
              static_cast<char>(std::stoi(line.substr(i, 2), nullptr, 16));
        }
      }
    }
    return parsed;
  }();
  return vectors;
}

const TestVector& PinnedVector(std::string_view name) {
  for (const TestVector& vector : PinnedVectors()) {
    if (vector.name == name) return vector;
  }
  std::fprintf(stderr, "%s has no %s\n", kVectorsFile,
               std::string(name).c_str());
  std::abort();
}

std::vector<std::string> NamesOfPinnedBlocks() {
  std::vector<std::string> names;
  for (const TestVector& vector : PinnedVectors()) {
    if (vector.form == "block" && vector.keys == "bytes") {
      names.push_back(vector.name);
    }
  }
  return names;
}

}  // namespace oneline
