// The native part of OnelineFilter.java, for RocksJava's own native library.

#include <jni.h>
#include <rocksdb/convenience.h>
#include <rocksdb/filter_policy.h>
#include <rocksdb/status.h>

#include <memory>
#include <string>

namespace {

using Policy = std::shared_ptr<const rocksdb::FilterPolicy>;

rocksdb::Status MakePolicy(const std::string& text, Policy* policy) {
  rocksdb::ConfigOptions options;
  // Otherwise RocksDB takes a name that it does not know for "no filter".
  options.ignore_unsupported_options = false;
  rocksdb::Status status =
      rocksdb::FilterPolicy::CreateFromString(options, text, policy);
  const bool is_ours = status.ok() && *policy != nullptr &&
                       std::string((*policy)->Name()) == "oneline";
  if (status.ok() && !is_ours) {
    status = rocksdb::Status::InvalidArgument(
        "'" + text + "' is not a filter of oneline; one is oneline:10");
  }
  return status;
}

void ThrowRocksDBException(JNIEnv* env, const std::string& message) {
  const jclass type = env->FindClass("org/rocksdb/RocksDBException");
  if (type != nullptr) env->ThrowNew(type, message.c_str());
}

}  // namespace

// Returns what org.rocksdb.Filter holds and deletes: a pointer to a shared
// pointer.
extern "C" JNIEXPORT jlong JNICALL Java_org_oneline_OnelineFilter_newFilter(
    JNIEnv* env, jclass /*type*/, jstring policy) {
  if (policy == nullptr) {
    ThrowRocksDBException(env, "the filter is null; one is oneline:10");
    return 0;
  }
  const char* const characters = env->GetStringUTFChars(policy, nullptr);
  if (characters == nullptr) return 0;  // an exception is pending
  const std::string text = characters;
  env->ReleaseStringUTFChars(policy, characters);

  auto made = std::make_unique<Policy>();
  const rocksdb::Status status = MakePolicy(text, made.get());
  if (!status.ok()) {
    ThrowRocksDBException(env, status.ToString());
    return 0;
  }
  return reinterpret_cast<jlong>(made.release());
}
