import PotluckKit

/// Why a plugin cannot be loaded or run.
public enum SandboxError: Error, Hashable, Sendable {
    /// The library that runs modules is missing, or has another version.
    case noLibrary(String)
    case tooLarge
    /// Compiling takes longer than the limit.
    case tooSlow(Duration)
    /// Compiling takes more memory than the limit, or crashes the compiler.
    case tooHard(Int)
    /// No process can be started for compiling.
    case noProcess(String)
    /// The module is invalid; the text is wasmtime's.
    case notAModule(String)
    /// The module with lanes that it carries cannot be compiled.
    case lanes(String)
    case imports
    /// It imports a function of ranks with other types than that has.
    case importTypes
    /// It is a program with ranks, and cannot run as a simulation.
    case ranks
    /// It is a simulation, and cannot run as a program with ranks.
    case noRanks
    /// A program with ranks refuses its parameters or inputs.
    case refused(String)
    /// A rank ended itself with this code. 0 stands for success.
    case rankCode(Int)
    /// Its trials depend on earlier ones.
    case keeps
    /// Its calls within calls need more stack than it has.
    case tooDeep
    /// It was made for another version of the interface.
    case version(UInt32)
    /// A function is missing or has another type.
    case export(String)
    /// It trapped. The numbers are the places in the module of the trap and of the calls that led there.
    case trap(String, [Int])
    /// It made a call that the kit cannot take: a sentence of the kit, and places as of a trap.
    case misuse(String, [Int])
    /// It asked for random numbers of the system.
    case randomness
    /// It stopped itself when it was asked for its description: why, if the kit said so, and places as of a trap.
    case undescribed(String?, [Int])
    case outOfTime(Duration)
    /// It trapped after it used nearly all the memory that it may have.
    case outOfMemory(Int)
    /// A function returned an invalid answer.
    case answer(function: String, String)
    /// It needs another version of the kit's random streams.
    case streams(UInt64)
    /// Its shape of work cannot run in this program.
    case shape(UInt64)
    /// The parameter's kind is unknown to this program.
    case parameter(String, kind: UInt64)

    /// The native program cannot be started.
    case noProgram(String)
    /// The native program ended by this signal; 0 if by none.
    case programEnded(signal: Int)
    /// The native program computes another result than the module.
    case nativelyDifferent

    /// Whether a trap is the instruction with which Swift, and every other language, stops at a violated condition.
    static func isStop(_ trap: String) -> Bool { trap.contains("unreachable") }

    /// Whether a trap is an access below the memory of the module: an address of 32 bits that wrapped around. The kit's
    /// stack grows down to the beginning of the memory. Of an instruction that copies much, no address is known.
    static func isBelowMemory(_ trap: String) -> Bool {
        if trap.contains("out of bounds memory access") { return true }
        guard let found = trap.firstRange(of: "memory fault at wasm address 0x"),
            let address = UInt64(trap[found.upperBound...].prefix { $0.isHexDigit }, radix: 16)
        else { return false }
        return (farthestBelow...UInt64(UInt32.max)).contains(address)
    }

    /// A stack frame reaches below the memory by less than the largest memory of a plugin's usual size.
    private static let farthestBelow = UInt64(UInt32.max) - UInt64(PluginLimits.standardMemory)

    /// The message about a plugin that keeps something. The variables are known only where its source is.
    public static let keeping =
        "it keeps something from one trial to the next, in a variable or an object that outlives them"

    /// The beginning of the sentence about a crash. The line of the source belongs behind it.
    public static let crashed = "it crashed"

    /// Whether a sentence begins with its line, as those of modules made of files in Python do: `line 14: a division by
    /// zero`.
    public static func namesLine(_ sentence: some StringProtocol) -> Bool {
        let mark = "line "
        let digits = sentence.dropFirst(mark.count).prefix { ("0"..."9").contains($0) }
        return sentence.hasPrefix(mark) && !digits.isEmpty && sentence[digits.endIndex...].hasPrefix(": ")
    }

    /// The message about such a trap. Only the compiler's tables of the source know more.
    public static let crash =
        crashed
        + ": for example an index out of range, an overflow (Int has 32 bits in a plugin) or a failed precondition"

    /// The places of a trap and of the calls that led there, as offsets in the module; empty for other errors.
    public var places: [Int] {
        switch self {
        case .trap(_, let places), .misuse(_, let places), .undescribed(_, let places): places
        default: []
        }
    }

    /// The error to report if this one occurred while the module described itself.
    var inDescription: SandboxError {
        switch self {
        case .trap(let why, let places) where Self.isStop(why): .undescribed(nil, places)
        case .misuse(let why, let places): .undescribed(why, places)
        default: self
        }
    }

    /// The error to report if this one occurred while the module with lanes was compiled that a module carries.
    var inLanes: SandboxError {
        switch self {
        case .noLibrary, .noProcess: self
        default: .lanes(reason)
        }
    }

    /// The words for a wrong answer of a function. The author of a Swift file never sees a function of the interface.
    private static func subject(_ function: String) -> String {
        switch function {
        case "potluck_describe": "it declares something wrong"
        case "potluck_configure": "its answer to the parameters is wrong"
        case "potluck_run": "its result of a block is wrong"
        case "potluck_read": "its readings are wrong"
        default: "\(function) returned a wrong answer"
        }
    }

    /// What failed and what to do about it: the end of a sentence that begins with the plugin's name and a colon.
    public var reason: String {
        switch self {
        case .noLibrary(let why):
            "plugins need wasmtime \(Wasmtime.version), which is missing (\(why)); run 'make deps', install the "
                + "potluck package, or set POTLUCK_WASMTIME to the library's path"
        case .tooLarge: "the module is larger than \(PluginLimits.largestModule / 1024) KiB"
        case .tooSlow(let limit): "compiling takes longer than \(limit)"
        case .tooHard(let limit): "compiling needs more than \(limit >> 20) MiB of memory, or crashes the compiler"
        case .noProcess(let why): "cannot compile now: \(why)"
        case .notAModule(let why): "not a WebAssembly module: \(why)"
        case .lanes(let why): "its lanes: \(why)"
        case .keeps: "\(Self.keeping); count in the tally, and let each trial start from nothing"
        case .tooDeep:
            "its calls within calls are too many for the stack of a plugin, which is the same everywhere; let the function call "
                + "itself less deeply, or keep a list of what is left to do"
        case .imports: "the module imports functions, and a plugin must not; link it without them"
        case .importTypes: "the module imports a function of \(RankImport.space) with other types than it has"
        case .ranks: "it is a program with ranks; start it with 'potluck launch'"
        case .noRanks: "it is a simulation and not a program with ranks; start it with 'potluck run'"
        case .refused(let why): why
        case .rankCode(let code): "it ended with code \(code)"
        case .version(let version):
            "the module uses version \(version) of the interface instead of \(ModuleInterface.version); "
                + "build it again"
        case .export(let why): "the module lacks a part of the interface: \(why)"
        case .trap(let why, _) where Self.isStop(why): Self.crash
        case .randomness:
            "it asked for random numbers of the system, which are the same in every run; use those of the trial's random, "
                + "for example random.below(6)"
        case .misuse(let why, _): Self.namesLine(why) ? why : "\(Self.crashed): \(why)"
        case .undescribed(let why?, _): "\(Self.crashed) while describing itself: \(why)"
        case .undescribed(nil, _):
            "\(Self.crashed) while describing itself; check that each parameter's default is inside its range or list, and "
                + "that a list has 1 to 64 different names without commas or blanks"
        case .trap(let why, _) where Self.isBelowMemory(why):
            "it crashed outside its memory, as a Swift plugin does when its stack of 128 KiB is full; use fewer bins (4000 in "
                + "all the histograms of a tally fit), smaller values, or fewer calls within calls"
        case .trap(let why, _) where why.contains("call stack exhausted"):
            "it crashed: its calls within calls are too many; a function probably calls itself without end"
        case .trap(let why, _): "it crashed: \(why)"
        case .outOfTime(let limit):
            "one call took longer than \(limit); it hangs, or its blocks are too long: write blockSize, or in Python steps"
        case .outOfMemory(let limit): "it needs more than \(limit >> 20) MiB of memory; allow more with --plugin-memory"
        case .noProgram(let why): "cannot start the native program: \(why)"
        case .programEnded(let signal):
            "the native program crashed" + (signal == 0 ? "" : " (signal \(signal))")
                + "; run it without --native to see where"
        case .nativelyDifferent:
            "it computes something else natively than as a module, where Int has 32 bits and sets have a fixed order; run it "
                + "without --native"
        case .answer(let function, let why): "\(Self.subject(function)): \(why)"
        case .streams(let version):
            "the module uses version \(version) of the random streams instead of \(RandomStream.version); "
                + "build it again"
        case .shape(let shape): "its kind of work (\(shape)) is unknown; update potluck"
        case .parameter(let name, let kind): "the kind of its parameter \(name) (\(kind)) is unknown; update potluck"
        }
    }
}
