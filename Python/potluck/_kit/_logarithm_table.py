"""The table of the logarithm: a row for each of 64 intervals."""

from __future__ import annotations

#: A short number near the inverse of the interval, the logarithm of its inverse, and what that lacks.
LOGARITHMS = tuple(tuple(map(float.fromhex, row.split())) for row in """
    0x1.68cp0   -0x1.5f3d6ca8a2p-2  -0x1.7af848e19cc75p-44
    0x1.64cp0   -0x1.53d288c3bep-2  0x1.11397eb6dfac5p-46
    0x1.61p0    -0x1.4900680401p-2  0x1.8bccffe1a0f8cp-44
    0x1.5d4p0   -0x1.3e10b16701p-2  -0x1.f3bcf145429c7p-44
    0x1.598p0   -0x1.3302c16586p-2  -0x1.6217dc2a3e08bp-44
    0x1.56p0    -0x1.2895a13de8p-2  -0x1.a8d7ad24c13fp-44
    0x1.528p0   -0x1.1e0d0c3371p-2  -0x1.af8f2a9b0d4ap-44
    0x1.4fp0    -0x1.136870293bp-2  0x1.d3e8499d67123p-44
    0x1.4b8p0   -0x1.08a73667c5p-2  -0x1.ebc1d40c5a329p-44
    0x1.484p0   -0x1.fd20fbf77p-3   0x1.1c55b72c6fe7p-46
    0x1.45p0    -0x1.e8c0252aa6p-3  0x1.6805b80e8e6ffp-45
    0x1.41cp0   -0x1.d42adfec36p-3  0x1.75c00fd804272p-46
    0x1.3ecp0   -0x1.c0fb79ccfep-3  0x1.46fff99e8a558p-44
    0x1.3b8p0   -0x1.abfe5ae462p-3  0x1.b68f5395f139dp-44
    0x1.388p0   -0x1.986d322818p-3  -0x1.93b564dd44p-48
    0x1.358p0   -0x1.84abb75866p-3  0x1.d8daadf4e2bd2p-44
    0x1.32cp0   -0x1.726470fa4p-3   0x1.774df0e743a45p-44
    0x1.3p0     -0x1.5ff3070a7ap-3  0x1.8586f183bebf2p-44
    0x1.2dp0    -0x1.4ba36f39a6p-3  0x1.4354bb3f219e5p-44
    0x1.2a4p0   -0x1.38d7699164p-3  -0x1.844a59e39bb7p-46
    0x1.27cp0   -0x1.279a300ab4p-3  -0x1.ef432b3235108p-44
    0x1.25p0    -0x1.1478584674p-3  -0x1.563451027c75p-46
    0x1.228p0   -0x1.02ebb42bf4p-3  0x1.5a8fa5ce00e5dp-46
    0x1.1fcp0   -0x1.dee1d8cd6p-4   0x1.28da0729eff89p-44
    0x1.1d4p0   -0x1.bb23e9369p-4   0x1.68b183559db8bp-44
    0x1.1bp0    -0x1.9ab4246204p-4  0x1.8a64826787061p-45
    0x1.188p0   -0x1.765bf23a6cp-4  0x1.ecbc035c4256ap-48
    0x1.16p0    -0x1.51b073f06p-4   -0x1.83f69278e686ap-44
    0x1.13cp0   -0x1.30673f22c8p-4  -0x1.4c9e29dcf0ba5p-45
    0x1.118p0   -0x1.0ed839b554p-4  0x1.901f46d48abb4p-44
    0x1.0f4p0   -0x1.da0478be38p-5  -0x1.252c7b1f6fe05p-45
    0x1.0dp0    -0x1.95c830ec9p-5   0x1.c148297c5feb8p-45
    0x1.0acp0   -0x1.50f92f60f8p-5  -0x1.96cfb0a91ffe3p-45
    0x1.088p0   -0x1.0b94f7c198p-5  0x1.e89896f022783p-45
    0x1.068p0   -0x1.9ace7551dp-6   0x1.d75d97ec7c41p-45
    0x1.048p0   -0x1.1d7f7eb9fp-6   0x1.4193a83fcc7a6p-46
    0x1.024p0   -0x1.1ebde2d1ap-7   0x1.a0683ff48dc36p-45
    0x1p0       0                   0
    0x1.f98p-1  0x1.a2a9c6c18p-7    -0x1.f73bc4d6d3472p-44
    0x1.f18p-1  0x1.d6b272598p-6    -0x1.9ff7b50d1b838p-44
    0x1.ea8p-1  0x1.5f6e73079p-5    -0x1.0485a8012494cp-45
    0x1.e3p-1   0x1.dda8adc68p-5    -0x1.1b1ac64d9e42fp-45
    0x1.dcp-1   0x1.2aa04a447p-4    0x1.7a48ba8b1cb41p-44
    0x1.d5p-1   0x1.674f089364p-4   0x1.a79994c9d3302p-44
    0x1.ce8p-1  0x1.a0792e9278p-4   -0x1.a9ce6c9ad51bfp-47
    0x1.c8p-1   0x1.da72763844p-4   0x1.a89401fa71733p-46
    0x1.c2p-1   0x1.08598b59e4p-3   -0x1.7e5dd7009902cp-45
    0x1.bcp-1   0x1.23d712a49cp-3   0x1.00d238fd3df5cp-46
    0x1.b6p-1   0x1.3fb45a5992p-3   0x1.19713c0cae559p-44
    0x1.bp-1    0x1.5bf406b544p-3   -0x1.27023eb68981cp-46
    0x1.aa8p-1  0x1.7631d82936p-3   -0x1.5e77dc7c5f3e1p-45
    0x1.a5p-1   0x1.90c6db9fccp-3   -0x1.935f57718d7cap-46
    0x1.9f8p-1  0x1.abb55c316ap-3   -0x1.8a65acaf14cd8p-44
    0x1.9a8p-1  0x1.c480c0005cp-3   0x1.9a294d5e44e76p-44
    0x1.958p-1  0x1.dd99edaf6ep-3   -0x1.02ec669c756ebp-44
    0x1.908p-1  0x1.f702d36778p-3   -0x1.0819516673e23p-46
    0x1.8b8p-1  0x1.085eb8f8aep-2   0x1.e5d513f45fe7bp-44
    0x1.87p-1   0x1.14167ef367p-2   0x1.e0c07824daaf5p-44
    0x1.828p-1  0x1.1ff0fe7cf4p-2   0x1.e9d5b513ff0c1p-44
    0x1.7ep-1   0x1.2bef07cdc9p-2   0x1.a9cfa4a5004f4p-45
    0x1.798p-1  0x1.3811728565p-2   -0x1.a71e493a0702bp-45
    0x1.75p-1   0x1.44591e053ap-2   -0x1.6e95892923d88p-47
    0x1.71p-1   0x1.4f637ebbaap-2   -0x1.fc158cb3124b9p-44
    0x1.6dp-1   0x1.5a8cadbbeep-2   -0x1.7c79b0af7ecf8p-48
""".strip().splitlines())
