import Foundation
import PotluckCore
import PotluckMachine
import Synchronization
import Testing

@testable import Potluck

/// The closure that hears a journal's news is stored once. If it were wrapped again for each event, the stack would
/// grow deeper each time.
@Suite struct JournalEarTests {
    /// Returns an address on the calling thread's stack, which shows how deep the stack is.
    private static func depth() -> UInt {
        var place: UInt8 = 0
        return withUnsafeMutablePointer(to: &place) { UInt(bitPattern: $0) }
    }

    private let job = JobRecord(id: JobID(7), spec: [1], simulation: "pi", submitter: "ana", acceptedAt: 1)

    @Test func aStoreCallsItsListenerWithoutNesting() throws {
        let path = NSTemporaryDirectory() + "potluck-" + UUID().uuidString
        defer {
            for ending in ["", "-wal", "-shm", ".lock"] { try? FileManager.default.removeItem(atPath: path + ending) }
        }
        let store = try JobStore.open(at: path)
        let depths = Mutex<[UInt]>([])
        let signal = DispatchSemaphore(value: 0)
        store.listen { _ in
            depths.withLock { $0.append(Self.depth()) }
            signal.signal()
        }
        store.append([.accepted(job)])
        for seconds in 1...12 {
            #expect(signal.wait(timeout: .now() + 120) == .success)
            store.append([.ran(job.id, .seconds(seconds))])
        }
        store.close()
        #expect(Set(depths.withLock { $0 }).count == 1)
    }

    @Test func aKeeperCallsItsListenerWithoutNesting() {
        let keeper = RunKeeper("pi", module: nil, passing: .seconds(3600)) { throw CancellationError() }
        let depths = Mutex<[UInt]>([])
        keeper.store.listen { _ in depths.withLock { $0.append(Self.depth()) } }
        for seconds in 1...20 { keeper.append([.ran(job.id, .seconds(seconds))]) }
        #expect(depths.withLock { $0 }.count == 20 && Set(depths.withLock { $0 }).count == 1)
    }
}
