import PotluckCore
import PotluckKit
import PotluckSystem

/// The complete output of a job of a session, in memory or in a file.
public final class JobOutput: Sendable {
    private let body: Guarded<BlobStore.Body>

    init(_ body: BlobStore.Body = .memory([])) { self.body = Guarded(body) }

    /// Creates an empty output in a file in `folder`, to fill with `append`.
    public init(in folder: String) throws(JobError) {
        do throws(SpoolFile.SpoolError) {
            body = Guarded(.file(try SpoolFile(in: folder), count: 0))
        } catch {
            throw JobError(error.reason)
        }
    }

    /// In bytes.
    public var count: Int { body.with(\.count) }

    /// Adds a piece that came from `pieces` of another output.
    public func append(_ piece: [UInt8]) throws(JobError) {
        guard case .file(let file, let count) = body.with({ $0 }) else { preconditionFailure("the output is complete") }
        do throws(SpoolFile.SpoolError) { try file.write(piece, at: count) } catch { throw JobError(error.reason) }
        body.with { $0 = .file(file, count: count + piece.count) }
    }

    /// Passes all bytes to `take`, in the form in which they travel (see `Framed`), in pieces.
    public func pieces(_ take: ([UInt8]) throws -> Void) throws {
        let body = body.with { $0 }
        do {
            for start in stride(from: 0, to: body.count, by: BlobStore.piece) {
                try take(body.part(at: start, atMost: BlobStore.piece))
            }
        } catch let trouble as SpoolFile.SpoolError {
            throw JobError(trouble.reason)
        }
    }

    /// Passes the outputs of the first `blocks` blocks to `take`, block by block. At the end it checks them against
    /// `print`, which the tally contains, and throws if they differ.
    public func read(_ print: OutputPrint, blocks: UInt64, _ take: ([UInt8]) throws -> Void) throws {
        let wrong = JobError("the output does not match the result")
        var found = OutputPrint()
        var block: UInt64 = 0
        var rest: [UInt8] = []
        try pieces { piece in
            rest += piece
            let count = try Framed.read(rest, atMost: Int(clamping: blocks - block)) { octets in
                found.add(octets, of: block)
                try take(octets)
                block += 1
            }
            rest.removeFirst(count)
            // A longer rest cannot be the output of one block.
            guard rest.count < BlobReference.largestOutput else { throw wrong }
        }
        guard rest.isEmpty, block == blocks, found == print else { throw wrong }
    }
}
