import Glibc
import PotluckWorkshop

/// `potluck-module SOURCE MODULE.wasm KERNEL...`: makes the module of a built-in simulation with a vector kernel: the plain
/// module, which carries one with the kernel. The files of the kernel follow. Developers need it, not authors: a kernel
/// must give the same bytes as the plain trials.
@main enum ModuleCommand {
    static func main() {
        let arguments = Array(CommandLine.arguments.dropFirst())
        guard arguments.count > 2 else {
            say("usage: potluck-module SOURCE MODULE.wasm KERNEL...")
            exit(2)
        }
        guard let folder = variable("XDG_CACHE_HOME") else {
            say("set XDG_CACHE_HOME to the folder that keeps what was compiled")
            exit(2)
        }
        do throws(WorkshopError) {
            let workshop = Workshop(folder: folder + "/potluck", searchPath: variable("PATH") ?? "")
            let product = try workshop.build(
                arguments[0], label: arguments[0], kernel: Array(arguments[2...]))
            guard write(product.module, to: arguments[1]) else {
                say("cannot write \(arguments[1]): \(String(cString: strerror(errno)))")
                exit(1)
            }
        } catch {
            say(error.message)
            exit(1)
        }
    }

    private static func variable(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

    private static func say(_ line: String) {
        let octets = Array("potluck-module: \(line)\n".utf8)
        _ = Glibc.write(STDERR_FILENO, octets, octets.count)
    }

    private static func write(_ octets: [UInt8], to path: String) -> Bool {
        guard let file = fopen(path, "we") else { return false }
        let isWritten = fwrite(octets, 1, octets.count, file) == octets.count
        return fclose(file) == 0 && isWritten
    }
}
