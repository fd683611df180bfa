// The parts of libqrencode that Potluck uses. Swift imports the functions directly.

#ifndef POTLUCK_QRCODE_H
#define POTLUCK_QRCODE_H

#if __has_include(<qrencode.h>)
#include <qrencode.h>
#else
#error "libqrencode's headers are missing: run 'make deps'"
#endif

#endif
