import Glibc
import PotluckCore
import PotluckSystem

/// The compiler for files in Python, which comes with this program: a part of the package `potluck`, and the runtime, which is
/// a module with the kit's functions.
struct PythonCompiler {
    /// The folder of the package. It also has what an author's file imports when Python itself runs it.
    let package: String
    /// The compiler's files, by name and in order.
    let sources: [(name: String, octets: [UInt8])]
    let runtime: [UInt8]

    /// The part of the package that is the compiler. It imports nothing else of the package.
    static let part = "_language"
    /// The largest file in bytes. The runtime has a tenth.
    private static let largest = 2 << 20

    /// Where the package and the runtime may be. Beside a program in a build folder are its sources, which are newer than
    /// what is installed.
    static func places(program: String) -> [(package: String, runtime: String)] {
        let packages = Installation.places(of: "python/potluck", built: "../Python/potluck", program: program)
        let runtimes = Installation.places(of: "python/runtime.wasm", built: "python/runtime.wasm", program: program)
        let places = zip(packages, runtimes).map { (package: $0, runtime: $1) }
        // Two places of an installation come first.
        return Array(places.dropFirst(2) + places.prefix(2))
    }

    /// Returns the first compiler that is whole. Throws if there is none for the file that messages call `label`.
    static func find(
        in places: [(package: String, runtime: String)], _ label: String
    ) throws(WorkshopError) -> PythonCompiler {
        guard let place = places.first(where: { File.isThere($0.runtime) && File.isThere("\($0.package)/\(part)") })
        else {
            throw .refused(
                "cannot compile \(label): the compiler for Python is missing beside this program; install the potluck package, "
                    + "or run 'make build'")
        }
        return try PythonCompiler(place.package, runtime: place.runtime, label)
    }

    private init(_ package: String, runtime: String, _ label: String) throws(WorkshopError) {
        func read(_ path: String) throws(WorkshopError) -> [UInt8] {
            switch Installation.TrustedFile.open(path) {
            case .success(let file):
                if let octets = file.read(most: Self.largest) { return octets }
                throw File.cannot("read \(path)")
            case .failure(let why):
                throw .refused("cannot compile \(label): the compiler's file \(path) is not used: \(why.text)")
            }
        }
        self.package = package
        var sources: [(name: String, octets: [UInt8])] = []
        for name in names(inFolder: "\(package)/\(Self.part)").sorted() where name.hasSuffix(".py") {
            sources.append((name, try read("\(package)/\(Self.part)/\(name)")))
        }
        self.sources = sources
        self.runtime = try read(runtime)
    }

    /// A name for the compiler, which other sources or another runtime change.
    var name: String {
        Kit.name(
            of: sources.flatMap { [$0.name, SHA256.hash($0.octets).hexadecimal] } + [SHA256.hash(runtime).hexadecimal])
    }
}
