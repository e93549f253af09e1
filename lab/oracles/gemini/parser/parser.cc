// The parser of JSON that protobuf had before version 22, whose words the errors of Google's APIs have. It reads requests from
// its input and writes what is wrong with each, both after their lengths; the argument is a file with a FileDescriptorSet.
#include <fstream>
#include <iostream>
#include <memory>
#include <string>

#include <google/protobuf/descriptor.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/util/json_util.h>
#include <google/protobuf/util/type_resolver_util.h>

namespace pb = google::protobuf;

int main(int count, char** arguments) {
  if (count != 2) {
    std::cerr << "usage: " << arguments[0] << " DESCRIPTORS\n";
    return 2;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  pb::FileDescriptorSet descriptors;
  if (!descriptors.ParseFromIstream(&file)) {
    std::cerr << arguments[1] << " has no descriptors\n";
    return 1;
  }
  pb::DescriptorPool pool;
  for (const auto& one : descriptors.file()) {
    if (pool.BuildFile(one) == nullptr) {
      std::cerr << one.name() << " cannot be read\n";
      return 1;
    }
  }
  std::unique_ptr<pb::util::TypeResolver> types(pb::util::NewTypeResolverForDescriptorPool("type.googleapis.com", &pool));
  pb::util::JsonParseOptions options;
  options.case_insensitive_enum_parsing = true;  // which Google's samples need
  std::size_t size;
  while (std::cin >> size) {
    std::cin.get();
    std::string json(size, ' '), ignored;
    std::cin.read(&json[0], size);
    auto status = pb::util::JsonToBinaryString(types.get(), "type.googleapis.com/google.ai.generativelanguage.v1beta.GenerateContentRequest", json, &ignored, options);
    std::string problem(status.message());
    std::cout << problem.size() << "\n" << problem << std::flush;
  }
}
