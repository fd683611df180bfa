import Glibc
import PotluckCore
import PotluckSystem

/// PotluckBench flood REFERENCE [short]: measures what fifteen thousand datagrams a second from senders without the code
/// cost the nodes of a session, compared with a C loop that receives and drops them. Wanted: at most 5 % of a core, a
/// few lines of output and no growth of memory. It starts itself again as the nodes, and uses only loopback.
enum FloodBench {
    static func run(_ words: [String]) async {
        if words.count == 4, words[1] == "node", let port = UInt16(words[2]) {
            return await FloodedNode.run(port: port, announces: words[3] == "member")
        }
        guard words.count >= 2 else { fail("run Benchmarks/run instead") }
        let time: Duration = words.dropFirst(2).first == "short" ? .milliseconds(500) : .seconds(5)
        for kind in Stranger.Kind.allCases { measure(kind, FloodReference(words[1]), time) }
    }

    /// Floods a member, a newcomer and the loop in C with the same datagrams.
    private static func measure(_ kind: Stranger.Kind, _ reference: FloodReference, _ time: Duration) {
        guard let ear = Ear() else { fail("loopback has no port left") }
        let nodes = ["member", "newcomer"].map { (role: $0, child: FloodedProcess(role: $0, port: ear.port)) }
        // The beacons show that the nodes have started. They are also what `repetitions` sends again.
        let stranger = Stranger(kind, heard: ear.listen())
        let before = nodes.map { ($0.child.cost, $0.child.memory) }
        let flood = reference.flood(stranger.datagrams, port: ear.port, for: time)
        let after = nodes.map { ($0.child.cost, $0.child.memory) }
        for (number, node) in nodes.enumerated() {
            let end = node.child.end()
            // Datagrams that the kernel dropped because the machine was busy cost the node nothing, so count those it
            // received.
            let each = Double(after[number].0 - before[number].0) / Double(max(1, end.heard))
            let heard = Int((Double(end.heard) / Double(flood.sent) * 100).rounded())
            Figure(
                what: "flood: \(node.role), \(kind.words)", value: each * Double(FloodReference.perSecond) * 1e-7,
                unit: "% of a core", bound: .atMost(5),
                remark: "\(hundredths(each / flood.bare)) times C that drops them; \(heard) % heard, "
                    + "\(end.told) lines, \(after[number].1 - before[number].1) KB more"
            ).report()
        }
    }
}
