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
        module("Model", ["Kit"], isOptimised: true),
        module("Wire", ["Kit", "Model"], isOptimised: true),
        module("Engine", ["Kit", "Model", "Wire"], isOptimised: true),
        module("Ranks", ["Model", "Wire"], isOptimised: true),
        module("Trace", ["Kit", "Model", "Wire", "Engine"]),
        module(
            "Simulator", ["Kit", "Model", "Wire", "Engine", "Ranks", "Trace", "Console"], isOptimised: true),

        // The shells around the core.
        module("System", ["Model"]),
        .target(name: "CSodium", path: "Sources/CSodium", linkerSettings: [.linkedLibrary("sodium")]),
        .target(
            name: "COpenSSL", path: "Sources/COpenSSL",
            linkerSettings: [.linkedLibrary("ssl"), .linkedLibrary("crypto")]),
        module("Crypto", ["Model", "System"], c: ["CSodium", "COpenSSL"]),
        .target(name: "CQRCode", path: "Sources/CQRCode", linkerSettings: [.linkedLibrary("qrencode")]),
        module("Web", ["Model", "Crypto"], isOptimised: true),
        .target(name: "CLinux", path: "Sources/CLinux"),
        module("Links", ["Model", "Crypto", "System"], c: ["CLinux", "COpenSSL"]),
        .target(
            name: "CAvahi", path: "Sources/CAvahi",
            linkerSettings: [.linkedLibrary("avahi-client"), .linkedLibrary("avahi-common")]),
        module("Discovery", ["Model", "Wire", "Crypto", "System"], c: ["CAvahi", "CLinux"], isOptimised: true),
        .target(name: "CWasmtime", path: "Sources/CWasmtime"),
        module("Sandbox", ["Kit", "Model", "Ranks", "Crypto", "System"], c: ["CWasmtime"]),
        .target(
            name: "PotluckWorkshop", dependencies: ["PotluckModel", "PotluckCrypto", "PotluckSystem", "CLinux"],
            path: "Sources/Workshop",
            plugins: ["KitSources"]),
        .plugin(name: "KitSources", capability: .buildTool(), path: "Tools/KitSources", exclude: ["embed"]),
        module("Compute", ["Kit", "Model", "System"], isOptimised: true),
        .target(name: "CSQLite", path: "Sources/CSQLite", linkerSettings: [.linkedLibrary("sqlite3")]),
        module("Journal", ["Kit", "Model", "System"], c: ["CSQLite"]),
        .target(
            name: "Potluck",
            dependencies: [
                "PotluckKit", "PotluckModel", "PotluckWire", "PotluckEngine", "PotluckTrace", "PotluckCompute",
                "PotluckJournal", "PotluckRanks",
                "PotluckCrypto", "PotluckLinks", "PotluckDiscovery", "PotluckSystem",
            ],
            path: "Sources/Runtime"),

        // What users see.
        module("Arguments", ["Model"]),
        module("Console", ["Kit", "Model", "Ranks"]),
        module("Report", ["Kit", "Model", "Console"]),
        .target(
            name: "PotluckGateway",
            dependencies: [
                "PotluckKit", "PotluckModel", "PotluckConsole", "PotluckCrypto", "PotluckLinks", "PotluckSystem",
                "PotluckWeb",
            ], path: "Sources/Gateway", plugins: ["PageFiles"]),
        .plugin(name: "PageFiles", capability: .buildTool(), path: "Tools/PageFiles", exclude: ["embed"]),
        .executableTarget(
            name: "PotluckCommand",
            dependencies: [
                "Potluck", "PotluckArguments", "PotluckCatalogue", "PotluckCompute", "PotluckConsole",
                "PotluckCrypto", "PotluckDiscovery", "PotluckGateway", "PotluckJournal", "PotluckKit", "PotluckModel",
                "PotluckRanks", "PotluckReport", "PotluckSandbox", "PotluckSystem", "PotluckWeb", "PotluckWire",
                "PotluckWorkshop", "CQRCode",
            ], path: "Sources/Command"),

        .executableTarget(
            name: "PotluckSimulatorCommand", dependencies: ["PotluckSimulator", "PotluckSystem", "PotluckTrace"],
            path: "Sources/SimulatorCommand"),
        .executableTarget(
            name: "PotluckBench",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckConsole", "PotluckCrypto", "PotluckDiscovery",
                "PotluckDoubles", "PotluckGateway", "PotluckJournal", "PotluckKit", "PotluckLinks", "PotluckModel",
                "PotluckRanks",
                "PotluckSandbox", "PotluckSystem", "PotluckWeb", "PotluckWire", "PotluckWorkshop",
            ], path: "Benchmarks/Bench"),
        .executableTarget(
            name: "PotluckRogue",
            dependencies: ["Potluck", "PotluckCatalogue", "PotluckCrypto", "PotluckKit", "PotluckModel"],
            path: "Tests/Lab/Rogue"),

        // Checks that tests run briefly, and an optimised program thoroughly.
        .target(
            name: "PotluckChecks",
            dependencies: [
                "PotluckCatalogue", "PotluckCrypto", "PotluckDiscovery", "PotluckKit", "PotluckLinks", "PotluckModel",
                "PotluckRanks", "PotluckSandbox", "PotluckWeb", "PotluckWire",
            ],
            path: "Tests/Checks"),
        .executableTarget(
            name: "PotluckCheckCommand", dependencies: ["PotluckChecks", "PotluckSystem"], path: "Tests/CheckCommand"),

        // Networks and a journal in memory, which several of the tests below use.
        .target(
            name: "PotluckDoubles",
            dependencies: [
                "PotluckCrypto", "PotluckDiscovery", "PotluckJournal", "PotluckLinks", "PotluckModel", "PotluckSystem",
                "PotluckWeb",
            ],
            path: "Tests/Doubles"),

        // The examples of programs with ranks, which the kit's tests run natively.
        .target(name: "PotluckRankExamples", dependencies: ["PotluckKit"], path: "Examples/Ranks", exclude: ["C"]),

        tests("Kit", ["Kit", "RankExamples"], exclude: ["maths-table.txt"]),
        tests("Catalogue", ["Kit", "Catalogue", "Checks", "Model"], exclude: ["goldens.txt"]),
        .testTarget(name: "PotluckCheckTests", dependencies: ["PotluckChecks"], path: "Tests/CheckTests"),
        .testTarget(
            name: "PotluckSandboxTests",
            dependencies: [
                "Potluck", "PotluckSandbox", "PotluckWorkshop", "PotluckCatalogue", "PotluckChecks", "PotluckKit",
                "PotluckModel", "PotluckRanks", "PotluckSystem", "CWasmtime",
            ],
            path: "Tests/Sandbox", exclude: ["Hostile", "Version1", "Version2"]),
        tests("Workshop", ["Crypto", "Model", "Workshop"], exclude: ["Programs"]),
        tests("Model", ["Kit", "Model"]),
        tests("Wire", ["Checks", "Kit", "Model", "Wire"]),
        tests("Engine", ["Kit", "Links", "Model", "Wire", "Engine", "Simulator"]),
        tests("Ranks", ["Checks", "Kit", "Model", "Ranks", "Wire"]),
        tests("Compute", ["Kit", "Model", "System", "Compute"]),
        tests(
            "Simulator",
            ["Console", "Engine", "Kit", "Model", "Ranks", "Simulator", "SimulatorCommand", "Trace", "Wire"]),
        tests("System", ["Model", "System"]),
        tests("Crypto", ["System", "Model", "Crypto"]),
        tests("Links", ["Doubles", "Model", "Crypto", "Links"], c: ["COpenSSL"]),
        tests("Web", ["Crypto", "Model", "Web"]),
        tests(
            "Gateway", ["Console", "Crypto", "Doubles", "Gateway", "Kit", "Links", "Model", "Ranks", "System", "Web"]),
        tests("Discovery", ["Doubles", "Model", "Wire", "Crypto", "System", "Discovery"]),
        .testTarget(
            name: "PotluckRuntimeTests",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCrypto", "PotluckDiscovery", "PotluckDoubles", "PotluckEngine",
                "PotluckJournal", "PotluckKit", "PotluckLinks", "PotluckModel", "PotluckRanks", "PotluckSystem",
            ],
            path: "Tests/Runtime"),
        .executableTarget(
            name: "PotluckJournalTrial", dependencies: ["PotluckJournal", "PotluckModel"], path: "Tests/JournalTrial"),
        tests("Journal", ["Doubles", "Kit", "Model", "System", "Journal", "JournalTrial"], exclude: ["Fixtures"]),
        tests("Arguments", ["Model", "Arguments"]),
        tests("Console", ["Kit", "Model", "Ranks", "Console"], exclude: ["Screens"]),
        tests("Report", ["Kit", "Model", "Console", "Report"]),
        .testTarget(
            name: "PotluckCommandTests",
            dependencies: [
                "Potluck", "PotluckCatalogue", "PotluckCommand", "PotluckConsole", "PotluckCrypto", "PotluckDoubles",
                "PotluckGateway", "PotluckJournal", "PotluckKit", "PotluckModel", "PotluckRanks", "PotluckWeb",
                "PotluckWire",
            ],
            path: "Tests/Command", exclude: ["Cities", "Mistakes"]),
        tests("Tidy", []),
    ]
)
