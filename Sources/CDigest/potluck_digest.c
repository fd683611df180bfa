// SwiftPM builds a C target only where it has a source file.
#include "potluck_digest.h"
