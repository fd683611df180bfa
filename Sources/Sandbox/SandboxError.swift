import PotluckKit

/// Why a plugin cannot be loaded, or cannot go on.
public enum SandboxError: Error, Hashable, Sendable {
    /// The library that runs modules is missing, or is not the one we need.
    case noLibrary(String)
    case tooLarge
    /// It is so made that compiling it takes longer than anybody should wait.
    case tooSlow(Duration)
    /// Compiling it takes more memory than it may, or crashes the compiler.
    case tooHard(Int)
    /// There is no process to compile it in.
    case noProcess(String)
    /// WebAssembly says what is wrong with it.
    case notAModule(String)
    case imports
    /// It is of another version of the interface.
    case version(UInt32)
    /// A function is missing or is of another type.
    case export(String)
    /// It did what WebAssembly forbids.
    case trap(String)
    /// It stopped itself before anything was computed, when it was asked what it is.
    case undescribed
    case outOfTime(Duration)
    /// Trapped with nearly all the memory used that it may have.
    case outOfMemory(Int)
    /// An answer that is not what it should be.
    case answer(function: String, String)
    /// It wants another version of the kit's random streams than there is here.
    case streams(UInt64)
    /// Of a shape that this program cannot run.
    case shape(UInt64)

    /// The one thing that Swift, and any other language, does about what must not be.
    private static func isStop(_ trap: String) -> Bool { trap.contains("unreachable") }

    /// The same where it happened in the module's description of itself.
    var inDescription: SandboxError { if case .trap(let why) = self, Self.isStop(why) { .undescribed } else { self } }

    /// What went wrong, and what to do about it: the end of a sentence that begins with the plugin's name and a colon.
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
        case .imports: "the module imports functions, and a plugin must not; link it without imports"
        case .version(let version):
            "the module uses version \(version) of the interface instead of \(ModuleInterface.version); "
                + "build it again"
        case .export(let why): "the module lacks a part of the interface: \(why)"
        case .trap(let why) where Self.isStop(why):
            "it crashed: for example an index out of range, an overflow or a failed precondition"
        case .undescribed:
            "it crashed while describing itself; check that each parameter's default is inside its range"
        case .trap(let why): "it crashed: \(why)"
        case .outOfTime(let limit):
            "one call took longer than \(limit); it hangs, or its blocks are too long (blockSize)"
        case .outOfMemory(let limit): "it needs more than \(limit >> 20) MiB of memory; allow more with --plugin-memory"
        case .answer(let function, let why): "\(function) returned a wrong answer: \(why)"
        case .streams(let version):
            "the module uses version \(version) of the random streams instead of \(RandomStream.version); "
                + "build it again"
        case .shape(let shape): "its kind of work (\(shape)) is unknown; update potluck"
        }
    }
}
