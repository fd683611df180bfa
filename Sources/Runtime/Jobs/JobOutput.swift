import PotluckKit
import PotluckModel
import PotluckSystem

/// What a job of a session has written: all its blocks, in a file where that is much.
public final class JobOutput: Sendable {
    private let body: Guarded<BlobStore.Body>

    init(_ body: BlobStore.Body = .memory([])) { self.body = Guarded(body) }

    /// One that is put together with `append`, in a file in that folder.
    public init(in folder: String) throws(JobFailed) {
        do throws(SpoolFile.Trouble) {
            body = Guarded(.file(try SpoolFile(in: folder), count: 0))
        } catch {
            throw JobFailed(error.reason)
        }
    }

    /// Octets.
    public var count: Int { body.with(\.count) }

    /// Adds a piece as `pieces` gives it.
    public func append(_ piece: [UInt8]) throws(JobFailed) {
        guard case .file(let file, let count) = body.with({ $0 }) else { preconditionFailure("it is whole already") }
        do throws(SpoolFile.Trouble) { try file.write(piece, at: count) } catch { throw JobFailed(error.reason) }
        body.with { $0 = .file(file, count: count + piece.count) }
    }

    /// All of it as it travels, in pieces.
    public func pieces(_ take: ([UInt8]) throws -> Void) throws {
        let body = body.with { $0 }
        do {
            for start in stride(from: 0, to: body.count, by: BlobStore.piece) {
                try take(body.part(at: start, atMost: BlobStore.piece))
            }
        } catch let trouble as SpoolFile.Trouble {
            throw JobFailed(trouble.reason)
        }
    }

    /// What so many blocks wrote, in order, block by block. At the end it is sure that this is what was counted, or it throws.
    public func read(_ print: OutputPrint, blocks: UInt64, _ take: ([UInt8]) throws -> Void) throws {
        let wrong = JobFailed("the output does not match the result")
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
            // No block has written more.
            guard rest.count < BlobReference.largestOutput else { throw wrong }
        }
        guard rest.isEmpty, block == blocks, found == print else { throw wrong }
    }
}
