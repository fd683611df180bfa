import Dispatch
import PotluckEngine
import PotluckModel
import Testing

@testable import Potluck

@Suite struct JobShellTests {
    /// A node that steps down while it joins what a job wrote computes the job for another one meanwhile: what that needs and
    /// writes is not forgotten when the joining ends.
    @Test func whatIsForgottenIsForgottenAtOnce() throws {
        let shell = JobShell(Computing(Simulations([]), cores: 0)) { _ in }
        let job = JobID(1)
        let (before, after) = (AttemptID(job: job, number: 1), AttemptID(job: job, number: 2))
        shell.blobs.expect(before)
        _ = try shell.blobs.put([1], of: before)
        let hasJoined = DispatchSemaphore(value: 0)
        shell.carrying.async { hasJoined.wait() }
        shell.perform([.forget(job)])
        let old = try shell.blobs.put([1], of: before)
        shell.blobs.expect(after)
        let new = try shell.blobs.put([2], of: after)
        hasJoined.signal()
        shell.carrying.sync {}
        #expect(try shell.blobs.octets(of: #require(old).hash, atMost: 1) == nil)
        #expect(try shell.blobs.octets(of: #require(new).hash, atMost: 1) == [2])
    }
}
