import Glibc

/// The C library for WebAssembly that is installed on this machine: wasi-libc, and the functions that clang's code
/// calls for wide numbers.
struct CLibrary {
    /// The folder of `stdio.h`.
    let headers: String
    /// The folder of `libc.a`.
    let archives: String
    /// The path of clang's functions.
    let builtins: String

    /// Where systems keep the headers and the archives: Debian and Ubuntu, Arch, Fedora.
    private static let places = [
        ("/usr/include/wasm32-wasi", "/usr/lib/wasm32-wasi"),
        ("/usr/share/wasi-sysroot/include/wasm32-wasip1", "/usr/share/wasi-sysroot/lib/wasm32-wasip1"),
        ("/usr/share/wasi-sysroot/include/wasm32-wasi", "/usr/share/wasi-sysroot/lib/wasm32-wasi"),
        ("/usr/wasm32-wasi/include", "/usr/wasm32-wasi/lib"),
    ]
    /// Where systems keep clang's functions. They fit every version of clang.
    private static let patterns = [
        "/usr/lib/llvm-*/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a",
        "/usr/lib/clang/*/lib/wasi/libclang_rt.builtins-wasm32.a",
        "/usr/lib/clang/*/lib/wasm32-unknown-wasi*/libclang_rt.builtins.a",
    ]
    /// The packages to install, as Debian and Ubuntu call them.
    private static let packages = ["wasi-libc", "libclang-rt-dev-wasm32"]

    /// Finds the library below a folder that takes the place of `/`.
    init?(root: String = "") {
        let place = Self.places.first {
            File.isThere("\(root)\($0.0)/stdio.h") && File.isThere("\(root)\($0.1)/libc.a")
        }
        guard let place, let builtins = Self.patterns.lazy.compactMap({ Self.matches(root + $0).last }).first else {
            return nil
        }
        headers = root + place.0
        archives = root + place.1
        self.builtins = builtins
    }

    /// Identifies the installed version.
    var stamp: String { Kit.stamp(archives + "/libc.a") + Kit.stamp(builtins) }

    static func isMissing(_ label: String) -> WorkshopError {
        .refused(
            "cannot compile \(label): the C library for WebAssembly is not installed; install \(packages[0]) and "
                + "\(packages[1]) (apt install \(packages.joined(separator: " ")))")
    }

    /// The paths that match a pattern of the shell, in order.
    private static func matches(_ pattern: String) -> [String] {
        var found = glob_t()
        defer { globfree(&found) }
        guard glob(pattern, 0, nil, &found) == 0 else { return [] }
        return (0..<Int(found.gl_pathc)).compactMap { found.gl_pathv[$0].map { String(cString: $0) } }
    }
}
