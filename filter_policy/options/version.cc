#include "oneline/version.h"

namespace oneline {

const char* ONELINE_ABI::Version() { return ONELINE_VERSION; }

}  // namespace oneline
