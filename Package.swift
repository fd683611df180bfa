// swift-tools-version: 6.2
import PackageDescription

// Folders have the short name, and modules the prefix, because names of targets must be unique in a package graph:
// `Model` could collide with another package's. The table in docs/ARCHITECTURE.md says which module may import which;
// the tidy test checks the sources against it.

/// Debug builds optimise modules that have these settings, and keep their assertions. The tests simulate clusters for
/// hours and compute millions of trials, and would otherwise take four times as long.
let optimised: [SwiftSetting] = [
    .unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))
]

/// The command's own code reads words and writes lines. To optimise it takes longer than it will ever save.
let unoptimised: [SwiftSetting] = [.unsafeFlags(["-Onone"], .when(configuration: .release))]

/// Lanes use the compiler's own vector operations.
let vectors: [SwiftSetting] = [.enableExperimentalFeature("BuiltinModule")]

/// A module of this package: `Sources/Engine` is `PotluckEngine`. `c` names the C targets that it uses.
func module(
    _ name: String, _ dependencies: [String] = [], c: [String] = [], isOptimised: Bool = false,
    settings: [SwiftSetting] = []
) -> Target {
    .target(
        name: "Potluck\(name)", dependencies: (dependencies.map { "Potluck\($0)" } + c).map { .byName(name: $0) },
        path: "Sources/\(name)", swiftSettings: settings + (isOptimised ? optimised : []))
}

/// The tests of a module: `Tests/Engine`.
func tests(
    _ name: String, _ dependencies: [String], c: [String] = [], exclude: [String] = []
) -> Target {
    .testTarget(
        name: "Potluck\(name)Tests",
        dependencies: (dependencies.map { "Potluck\($0)" } + c).map { .byName(name: $0) },
        path: "Tests/\(name)", exclude: exclude)
}

let package = Package(
    name: "potluck",
    products: [
        // The command's module has a name of its own, because `potluck.build` and `Potluck.build` are one folder on
        // some file systems. The library has no product file `Potluck`: SwiftPM links it into the programs that import
        // it.
        .executable(name: "potluck", targets: ["PotluckCommand"]),
        .executable(name: "potluck-sim", targets: ["PotluckSimulatorCommand"]),
        .executable(name: "potluck-check", targets: ["PotluckCheckCommand"]),
        .library(name: "Potluck", targets: ["Potluck"]),
    ],
    targets: [
        // What authors import, and the built-in simulations.
        module("Kit", isOptimised: true, settings: vectors),
        .target(
            name: "PotluckCatalogue",
            dependencies: ["PotluckKit", "CVectors"], path: "Plugins",
            swiftSettings: optimised, plugins: ["SourceHashes"]),
        .target(name: "CVectors", path: "Sources/CVectors"),
        .plugin(name: "SourceHashes", capability: .buildTool(), path: "Tools/SourceHashes", exclude: ["hash"]),

        // The pure core.
        module("Core", ["Kit"], isOptimised: true),
        module("Engine", ["Core", "Kit"], isOptimised: true),
        module("Ranks", ["Core"], isOptimised: true),

        // The machine and the network.
        .target(name: "CSodium", path: "Sources/CSodium", linkerSettings: [.linkedLibrary("sodium")]),
        .target(
            name: "COpenSSL", path: "Sources/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        .target(name: "CLinux", path: "Sources/CLinux"),
        module("System", ["Core"], c: ["COpenSSL", "CSodium"]),
        .target(
            name: "CAvahi", path: "Sources/CAvahi",
            linkerSettings: [.linkedLibrary("avahi-client"), .linkedLibrary("avahi-common")]),
        module("Net", ["Core", "System"], c: ["CAvahi", "CLinux", "COpenSSL"], isOptimised: true),
        .target(name: "CWasmtime", path: "Sources/CWasmtime"),
        .target(name: "CSQLite", path: "Sources/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(
            name: "PotluckMachine",
            dependencies: [
                "PotluckCore", "PotluckKit", "PotluckRanks", "PotluckSystem", "CLinux", "CSQLite", "CWasmtime",
            ],
            path: "Sources/Machine", swiftSettings: optimised, plugins: ["KitSources"]),
        .plugin(name: "KitSources", capability: .buildTool(), path: "Tools/KitSources", exclude: ["embed"]),

        // A node, and what users see of it.
        module("Screen", ["Core", "Kit", "Ranks"]),
        .target(
            name: "Potluck",
            dependencies: [
                "PotluckCore", "PotluckEngine", "PotluckKit", "PotluckMachine", "PotluckNet", "PotluckRanks",
                "PotluckScreen", "PotluckSystem",
            ],
            path: "Sources/Node", plugins: ["PageFiles"]),
        .plugin(name: "PageFiles", capability: .buildTool(), path: "Tools/PageFiles", exclude: ["embed"]),
        .target(name: "CQRCode", path: "Sources/CQRCode", linkerSettings: [.linkedLibrary("qrencode")]),
        .executableTarget(
            name: "PotluckCommand",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCore", "PotluckKit", "PotluckMachine", "PotluckNet",
                "PotluckRanks", "PotluckScreen", "PotluckSystem", "CQRCode",
            ], path: "Sources/Command", swiftSettings: unoptimised),
        module("Simulation", ["Core", "Engine", "Kit", "Ranks", "Screen"], isOptimised: true),

        .executableTarget(
            name: "PotluckSimulatorCommand", dependencies: ["PotluckEngine", "PotluckSimulation", "PotluckSystem"],
            path: "Sources/SimulatorCommand"),
        .executableTarget(
            name: "PotluckBench",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCore", "PotluckDoubles", "PotluckKit", "PotluckMachine",
                "PotluckNet", "PotluckRanks", "PotluckScreen", "PotluckSystem",
            ], path: "Benchmarks/Bench"),
        .executableTarget(
            name: "PotluckRogue",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCore", "PotluckKit", "PotluckNet", "PotluckSystem",
            ],
            path: "Tests/Lab/Rogue"),

        // Checks that tests run briefly, and an optimised program thoroughly.
        .target(
            name: "PotluckChecks",
            dependencies: [
                "PotluckCatalogue", "PotluckCore", "PotluckKit", "PotluckMachine", "PotluckNet", "PotluckRanks",
                "PotluckSystem",
            ],
            path: "Tests/Checks"),
        .executableTarget(
            name: "PotluckCheckCommand", dependencies: ["PotluckChecks", "PotluckSystem"], path: "Tests/CheckCommand"),

        // Networks and a journal in memory, which several of the tests below use.
        .target(
            name: "PotluckDoubles",
            dependencies: ["PotluckCore", "PotluckMachine", "PotluckNet", "PotluckSystem"],
            path: "Tests/Doubles"),

        // The examples of programs with ranks, which the kit's tests run natively.
        .target(name: "PotluckRankExamples", dependencies: ["PotluckKit"], path: "Examples/Ranks", exclude: ["C"]),

        // A program of one's own with sessions, as docs/FROM-GAMEKIT.md shows it.
        .executableTarget(name: "PotluckSessionExample", dependencies: ["Potluck"], path: "Examples/Session"),

        tests(
            "Kit", ["Kit", "RankExamples"],
            exclude: ["distributions-table.txt", "lattice-table.txt", "maths-table.txt"]),
        tests("Catalogue", ["Catalogue", "Checks", "Core", "Kit"], exclude: ["goldens.txt"]),
        .testTarget(name: "PotluckCheckTests", dependencies: ["PotluckChecks"], path: "Tests/CheckTests"),
        .testTarget(
            name: "PotluckSandboxTests",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckChecks", "PotluckCore", "PotluckKit", "PotluckMachine",
                "PotluckRanks", "PotluckSystem", "CWasmtime",
            ],
            path: "Tests/Sandbox", exclude: ["Hostile", "Version1", "Version2"]),
        tests("Workshop", ["Core", "Machine", "System"], exclude: ["Programs"]),
        tests("Model", ["Core", "Kit"]),
        tests("Wire", ["Checks", "Core", "Kit"]),
        tests("Engine", ["Core", "Engine", "Kit", "Net", "Simulation"]),
        tests("Ranks", ["Checks", "Core", "Kit", "Ranks"]),
        tests("Compute", ["Core", "Kit", "Machine", "System"]),
        tests(
            "Simulator",
            ["Core", "Engine", "Kit", "Ranks", "Screen", "Simulation", "SimulatorCommand"]),
        tests("System", ["Core", "System"]),
        tests("Crypto", ["Core", "System"]),
        tests("Links", ["Core", "Doubles", "Net", "System"], c: ["COpenSSL"]),
        tests("Web", ["Core", "Net", "System"]),
        .testTarget(
            name: "PotluckGatewayTests",
            dependencies: [
                "Potluck", "PotluckCore", "PotluckDoubles", "PotluckKit", "PotluckNet", "PotluckRanks", "PotluckScreen",
                "PotluckSystem",
            ],
            path: "Tests/Gateway"),
        tests("Discovery", ["Core", "Doubles", "Net", "System"]),
        .testTarget(
            name: "PotluckRuntimeTests",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCore", "PotluckDoubles", "PotluckEngine", "PotluckKit",
                "PotluckMachine", "PotluckNet", "PotluckRanks", "PotluckSystem",
            ],
            path: "Tests/Runtime"),
        .executableTarget(
            name: "PotluckJournalTrial", dependencies: ["PotluckCore", "PotluckMachine"], path: "Tests/JournalTrial"),
        tests("Journal", ["Core", "Doubles", "JournalTrial", "Kit", "Machine", "System"], exclude: ["Fixtures"]),
        tests("Arguments", ["Core", "Screen"]),
        tests("Console", ["Core", "Kit", "Ranks", "Screen"], exclude: ["Screens"]),
        tests("Report", ["Core", "Kit", "Screen"]),
        .testTarget(
            name: "PotluckCommandTests",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCommand", "PotluckCore", "PotluckDoubles", "PotluckKit",
                "PotluckMachine", "PotluckNet", "PotluckRanks", "PotluckRogue", "PotluckScreen", "PotluckSystem",
            ],
            path: "Tests/Command", exclude: ["Cities", "Mistakes"]),
        tests("Tidy", []),
    ]
)
