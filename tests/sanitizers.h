// Whether tests run many times slower than usual, under a sanitizer or on an
// emulated processor, and take fewer samples; known at compile time.

#ifndef ONELINE_TESTS_SANITIZERS_H_
#define ONELINE_TESTS_SANITIZERS_H_

namespace oneline {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool kSanitized = true;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif
#else
inline constexpr bool kSanitized = false;
#endif

#ifdef ONELINE_EMULATED
inline constexpr bool kSlow = true;
#else
inline constexpr bool kSlow = kSanitized;
#endif

}  // namespace oneline

#endif  // ONELINE_TESTS_SANITIZERS_H_
