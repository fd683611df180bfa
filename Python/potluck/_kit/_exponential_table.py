"""The table of the exponential function."""

from __future__ import annotations

#: Row n: 2^(n/32), and its relative error: exact / stored − 1.
POWERS = tuple(tuple(map(float.fromhex, row.split())) for row in """
    0x1p0                0
    0x1.059b0d3158574p0  0x1.cd2523567f613p-55
    0x1.0b5586cf9890fp0  0x1.79aa65d837b6dp-54
    0x1.11301d0125b51p0  -0x1.556522a2fbd0ep-54
    0x1.172b83c7d517bp0  -0x1.01b15eaa59348p-55
    0x1.1d4873168b9aap0  0x1.aecf73e3a2f6p-54
    0x1.2387a6e756238p0  0x1.68efde3a8a894p-54
    0x1.29e9df51fdee1p0  0x1.2f7e16d09ab31p-55
    0x1.306fe0a31b715p0  0x1.34d754db0abb6p-55
    0x1.371a7373aa9cbp0  -0x1.24aedcc4b5068p-54
    0x1.3dea64c123422p0  0x1.59f48a72a4c6dp-55
    0x1.44e086061892dp0  0x1.363ed60c2ac11p-59
    0x1.4bfdad5362a27p0  0x1.690cebb7aafbp-56
    0x1.5342b569d4f82p0  -0x1.8dec6bd0f385fp-56
    0x1.5ab07dd485429p0  0x1.063e1e21c5409p-54
    0x1.6247eb03a5585p0  -0x1.c33c53bef4da8p-55
    0x1.6a09e667f3bcdp0  -0x1.3b3efbf5e2228p-54
    0x1.71f75e8ec5f74p0  -0x1.81f647e5a3ecfp-56
    0x1.7a11473eb0187p0  -0x1.b32dcb94da51dp-56
    0x1.82589994cce13p0  -0x1.369b6f13b3734p-54
    0x1.8ace5422aa0dbp0  0x1.db72fc1f0eab4p-55
    0x1.93737b0cdc5e5p0  -0x1.da9b88b6c1e29p-58
    0x1.9c49182a3f09p0   0x1.1affc2b91ce27p-56
    0x1.a5503b23e255dp0  -0x1.1bbd1d3bcbb15p-54
    0x1.ae89f995ad3adp0  0x1.c1a7792cb3387p-55
    0x1.b7f76f2fb5e47p0  -0x1.8d6f438ad9334p-57
    0x1.c199bdd85529cp0  0x1.36eae30af0cb3p-56
    0x1.cb720dcef9069p0  0x1.76b2c6c921968p-57
    0x1.d5818dcfba487p0  0x1.4a385a63d07a7p-56
    0x1.dfc97337b9b5fp0  -0x1.2d52107b43e1fp-55
    0x1.ea4afa2a490dap0  -0x1.ff7128fd391fp-55
    0x1.f50765b6e454p0   0x1.a64a931d185eep-55
""".strip().splitlines())
