// The version of this library, of the program `oneline` and of the packages:
// CMakeLists.txt and third_party/make_debs.sh read it here, and a test compares
// CHANGELOG.md and the packages' changelog with it. Formats of filters have
// numbers of their own.

#ifndef ONELINE_VERSION_H_
#define ONELINE_VERSION_H_

#define ONELINE_VERSION "0.1.0"

#endif  // ONELINE_VERSION_H_
