import Glibc
import PotluckKit
import PotluckSystem

/// A library with the lanes of built-in simulations, compiled for one kind of CPU. `Tools/lanes` makes it, of
/// `Tools/native/Lanes.swift` and the simulations.
public final class LanesLibrary: Sendable {
    typealias Prepare =
        @convention(c) (_ name: UnsafePointer<CChar>, _ parameters: UnsafePointer<UInt64>, Int) ->
        UnsafeMutableRawPointer?
    typealias Run =
        @convention(c) (
            _ prepared: UnsafeMutableRawPointer, _ request: UnsafePointer<UInt64>,
            _ shouldStop: @convention(c) (UnsafeMutableRawPointer?) -> Bool, _ context: UnsafeMutableRawPointer?,
            _ slots: UnsafeMutablePointer<UInt64>, Int
        ) -> Int
    typealias Forget = @convention(c) (_ prepared: UnsafeMutableRawPointer) -> Void
    public typealias Multiply =
        @Sendable @convention(c) (
            _ left: UnsafePointer<Double>, _ rows: Int, _ inner: Int, _ right: UnsafePointer<Double>, _ panels: Int,
            _ sums: UnsafeMutablePointer<Double>
        ) -> Void

    /// Takes one thread at a time.
    private let prepare: Guarded<Prepare>
    private let run: Run
    private let forget: Forget
    /// Multiplies rows for the matrix product; nil if it gives other bits than a plain loop.
    public let matrixProduct: Multiply?
    private let file: Installation.TrustedFile

    /// The largest library in bytes. Ours have some ten kilobytes.
    private static let largest = 16 << 20

    /// Returns the library that came with this program. Returns nil if there is none that was made of the same sources.
    ///
    /// - Parameters:
    ///   - kind: the kind of CPU, such as `avx2`. This CPU must be of that kind.
    ///   - sources: the SHA-256 of the library's sources.
    public static func own(for kind: String, madeOf sources: String) -> LanesLibrary? {
        let file = "potluck-lanes-\(kind).so"
        return find(
            in: Installation.places(of: file, built: "lanes/\(file)", program: Installation.program), madeOf: sources)
    }

    /// Returns the first of these files that can be used.
    static func find(in paths: [String], madeOf sources: String) -> LanesLibrary? {
        for path in paths where access(path, R_OK) == 0 {
            if let library = LanesLibrary(path, madeOf: sources) { return library }
        }
        return nil
    }

    private init?(_ path: String, madeOf sources: String) {
        let log = Log("lanes")
        let file: Installation.TrustedFile
        switch Installation.TrustedFile.open(path) {
        case .success(let opened): file = opened
        case .failure(let why):
            log.info("\(path) is not used: \(why.text)")
            return nil
        }
        guard Self.isWhole(file) else {
            log.info("\(path) is damaged and is not used")
            return nil
        }
        // The file that was read, whatever the path names by now.
        guard let library = dlopen(file.path, RTLD_NOW | RTLD_LOCAL) else {
            log.info("\(path) cannot be loaded: \(dlerror().map { String(cString: $0) } ?? "no reason given")")
            return nil
        }
        // The names contain the hash, so a library that was made of something else has none of them.
        let found = ["prepare", "run", "forget", "multiply"].compactMap {
            dlsym(library, "potluck_lanes_\(sources)_\($0)")
        }
        guard found.count == 4 else {
            log.info("\(path) belongs to another version of the program and is not used")
            dlclose(library)
            return nil
        }
        prepare = Guarded(unsafeBitCast(found[0], to: Prepare.self))
        run = unsafeBitCast(found[1], to: Run.self)
        forget = unsafeBitCast(found[2], to: Forget.self)
        let multiply = unsafeBitCast(found[3], to: Multiply.self)
        matrixProduct = Self.isExact(multiply) ? multiply : nil
        if matrixProduct == nil {
            log.warning("\(path) multiplies with other bits than a plain loop and is not used for that")
        }
        // The loader knows the library by the path of this descriptor, so no other file may get its number.
        self.file = file
        log.info("using \(path)")
    }

    /// Whether the file ends with the SHA-256 of the rest. The CPU would end the program when it reads the missing part
    /// of a file that was cut short.
    private static func isWhole(_ file: Installation.TrustedFile) -> Bool {
        guard let octets = file.read(most: largest) else { return false }
        return SHA256.hash(Array(octets.dropLast(SHA256.length))) == Array(octets.suffix(SHA256.length))
    }

    /// Whether five rows of a small product have the bits of a plain loop, whose sums are rounded at every step.
    private static func isExact(_ multiply: Multiply) -> Bool {
        let (rows, inner, columns) = (5, 7, 16)
        let left = (0..<rows * inner).map { 1 / Double($0 + 3) }
        let right = (0..<inner * columns).map { Double($0 % 11 - 5) / 7 }
        var (sums, plain) = ([Double](repeating: .nan, count: rows * columns), [Double]())
        multiply(left, rows, inner, right, 1, &sums)
        for row in 0..<rows {
            for column in 0..<columns {
                plain.append(
                    (0..<inner).reduce(0.0) { $0 + left[row * inner + $1] * right[$1 * columns + column] })
            }
        }
        return sums.map(\.bitPattern) == plain.map(\.bitPattern)
    }

    /// A simulation with its parameters in the library.
    private final class Prepared: @unchecked Sendable {
        let library: LanesLibrary
        let handle: UnsafeMutableRawPointer

        init?(_ library: LanesLibrary, _ name: String, _ parameters: [UInt64]) {
            guard let handle = library.prepare.with({ $0(name, parameters, parameters.count) }) else { return nil }
            (self.library, self.handle) = (library, handle)
        }

        deinit { library.forget(handle) }
    }

    /// Returns the same simulation, whose blocks the library runs. Returns nil if the library lacks it.
    public func simulation(_ native: AnySimulation) -> AnySimulation? {
        guard Prepared(self, native.name, native.standardParameters) != nil else { return nil }
        let trust = LanesTrust(native.name)
        return native.changed { [self] plain, _ in
            guard let prepared = Prepared(self, native.name, plain.parameters) else { return plain }
            return plain.computed { request, shouldStop in
                trust.run(request, shouldStop, plain: plain.run) { request, shouldStop in
                    Self.run(prepared, request, plain.layout.empty, shouldStop)
                }
            }
        }
    }

    /// Runs a chunk. `empty` has the slots of an empty tally.
    private static func run(
        _ prepared: Prepared, _ request: ChunkRequest, _ empty: [UInt64], _ shouldStop: () -> Bool
    ) -> ChunkReply {
        let record = [request.seed, request.blocks.lowerBound, request.blocks.upperBound, request.trials ?? .max]
        var slots = empty
        let done = withoutActuallyEscaping(shouldStop) { shouldStop in
            var shouldStop = shouldStop
            return withUnsafeMutablePointer(to: &shouldStop) { context in
                prepared.library.run(
                    prepared.handle, record, { $0?.assumingMemoryBound(to: (() -> Bool).self).pointee() ?? true },
                    context, &slots, empty.count)
            }
        }
        guard done >= 0 else { return ChunkReply(end: request.blocks.lowerBound, slots: empty) }
        return ChunkReply(end: request.blocks.lowerBound + UInt64(done), slots: slots)
    }
}
