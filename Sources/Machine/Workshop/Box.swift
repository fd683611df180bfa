import CLinux
import Glibc

/// The files that a compiler may read, and the resources that it may use. The author of a file need not be trusted, and
/// a compiler opens every file that its input names.
struct Box {
    /// How much a program may use.
    struct Limits {
        /// Seconds of CPU time of each process. The kit takes twenty on a slow laptop.
        var processor: UInt32 = 300
        /// Seconds until it is ended anyway. A machine may be busy with other things.
        var patience: UInt32 = 1800
        /// Bytes of memory of each process. The kit takes a tenth.
        var memory: UInt64 = 4 << 30
        /// Bytes of the largest file that it writes. A native program with Swift's library has a twentieth.
        var file: UInt64 = 256 << 20
    }

    /// The files and folders that the program may read besides those of the system; nil if it may read all. It may write
    /// only into its own folder.
    var readable: [String]?
    var limits = Limits()

    /// Whether the kernel keeps programs in their boxes. It needs Linux 5.13 and Landlock.
    static var isEnforced: Bool { potluck_linux_has_boxes() }

    /// The files that every program needs: itself, its libraries, and the number of cores.
    private static let system = [
        "/bin", "/usr/bin", "/usr/libexec", "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/nix/store",
        "/etc/ld.so.cache",
        "/dev/null", "/dev/urandom", "/sys/devices/system/cpu",
    ]

    /// The variables of this program that a compiler gets. Others would change what it makes: `CPATH` adds headers.
    private static let variables = ["PATH", "HOME", "LD_LIBRARY_PATH"]

    /// Starts a program, whose path is the first word, in a folder. Returns its number.
    func start(_ words: [String], in folder: String, output: String) throws(WorkshopError) -> pid_t {
        // The C library would reserve memory for each core.
        let kept = Self.variables.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
        let read = readable.map { Self.system + Self.libraries + $0 + [folder] }
        // Swift does not import the call that sets a child's folder, so a shell does it. The compiler leaves a folder
        // in TMPDIR each time; here that is removed with the working folder. No other user may write to the compiler's
        // files, because a native program may be linked with them.
        let shell = ["/bin/sh", "-c", "umask 077 && cd \"$0\" && TMPDIR=$PWD exec \"$@\"", folder]
        let id = Self.withStrings(shell + words) { words in
            Self.withStrings(read == nil ? Self.everyVariable : kept + ["MALLOC_ARENA_MAX=1"]) { variables in
                Self.withStrings(read ?? []) { read in
                    Self.withStrings([folder]) { written in
                        var box = potluck_linux_box(
                            readable: readable == nil ? nil : Self.constant(read), writable: Self.constant(written),
                            processor: limits.processor, patience: limits.patience, memory: limits.memory,
                            file: limits.file)
                        return potluck_linux_start_boxed(words, variables, output, &box)
                    }
                }
            }
        }
        guard id > 0 else { throw File.cannot("start \(words[0])") }
        return id
    }

    /// The folders of libraries that the user has set, except those that have the user's own files below them.
    private static var libraries: [String] {
        let home = getenv("HOME").map { String(cString: $0) } ?? ""
        let set = getenv("LD_LIBRARY_PATH").map { String(cString: $0) } ?? ""
        return set.split(separator: ":").map(String.init).filter {
            $0.hasPrefix("/") && !"\(home)/".hasPrefix($0.hasSuffix("/") ? $0 : "\($0)/")
        }
    }

    private static var everyVariable: [String] {
        var all: [String] = []
        var next = environ
        while let variable = next.pointee {
            all.append(String(cString: variable))
            next += 1
        }
        return all
    }

    private typealias Strings = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    private static func withStrings<Result>(_ texts: [String], _ body: (Strings) -> Result) -> Result {
        var copies = texts.map { strdup($0) } + [nil]
        defer { for copy in copies { free(copy) } }
        return copies.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
    }

    private static func constant(_ strings: Strings) -> UnsafePointer<UnsafePointer<CChar>?> {
        UnsafeRawPointer(strings).assumingMemoryBound(to: UnsafePointer<CChar>?.self)
    }

    /// Says which limit ended a program; nil if none did.
    func excess(status: Int32, seconds: Int, said: String) -> String? {
        let signal = status & 0x7f
        if signal == SIGALRM { return "takes longer than \(limits.patience / 60) minutes" }
        // The kernel measures this time in another way than the time of its limit.
        if seconds * 4 / 3 + 1 >= Int(limits.processor) { return "takes more than \(limits.processor) s of CPU time" }
        if signal == SIGKILL || ["out of memory", "bad_alloc", "Cannot allocate"].contains(where: said.contains) {
            return "needs more than \(limits.memory >> 20) MiB of memory"
        }
        if signal == SIGXFSZ || said.contains("File too large") {
            return "writes more than \(limits.file >> 20) MiB"
        }
        return nil
    }
}
