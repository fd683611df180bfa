import PotluckCore
import PotluckKit

/// The generator of a Byzantine member's messages. It makes up extreme numbers and noise, and reuses jobs, nodes and
/// blobs that it has seen.
///
/// `+Messages` makes a message of each kind.
struct Forger {
    /// The most values of each sort that it remembers.
    private static let memory = 24
    /// Part of every text that it makes up, so that a law can recognize its texts.
    static let mark = "forged"
    private static let padding = String(repeating: "x", count: 200)
    /// Texts with which a coordinator describes results that no honest program sends.
    private static let misfits = ["its tally has", "it returned blocks", "it ignores its work"]

    /// Returns whether a job's failure was caused by a forged message.
    static func isBehind(_ why: String) -> Bool { why.contains(mark) || misfits.contains { why.contains($0) } }

    /// How far the member goes.
    struct Temper {
        /// Whether it sends wrong results of its loans, and offers blocks of real jobs.
        var lies = false
        /// Whether it sends, about others' jobs, messages that only their coordinator may send.
        var claims = false
    }

    let temper: Temper
    var fields: FieldInventor
    /// Messages that it received or sent, encoded.
    private(set) var seen: [[UInt8]] = []
    private(set) var jobs: [JobID] = []
    private(set) var specs: [JobSpec] = []
    private(set) var lent: [AttemptID: Range<UInt64>] = [:]
    private var lentOrder: [AttemptID] = []

    init(own: NodeID, temper: Temper, seed: UInt64) {
        self.temper = temper
        fields = FieldInventor(random: SeededGenerator(seed: seed)) { random in
            Self.mark + Self.padding.prefix(random.fraction() < 0.5 ? 0 : Int(random.next(below: 200)))
        }
        fields.known = [own]
        fields.usualSlots = VirtualSimulation.layout.slots
    }

    mutating func saw(_ message: Message, _ octets: [UInt8]) {
        remember(octets, in: \.seen)
        guard case .job(let message) = message else { return }
        if let id = message.job { remember(id, in: \.jobs) }
        switch message {
        case .job(_, let spec, _, _):
            remember(spec, in: \.specs)
            for blob in spec.recipe.blobs { remember(blob, in: \.fields.blobs) }
        case .lend(let id, let chunks):
            for chunk in chunks.prefix(Self.memory) {
                let attempt = AttemptID(job: id, number: chunk.attempt)
                if lent.updateValue(chunk.blocks, forKey: attempt) == nil { lentOrder.append(attempt) }
            }
            while lentOrder.count > 4 * Self.memory { lent[lentOrder.removeFirst()] = nil }
        case .picture(let picture): for row in picture.nodes { remember(row.node, in: \.fields.known) }
        case .fetch(let hash, _):
            if let blob = BlobReference(hash: hash, size: 1 + fields.below(40_000)) {
                remember(blob, in: \.fields.blobs)
            }
        default: break
        }
    }

    private mutating func remember<Thing: Equatable>(_ thing: Thing, in things: WritableKeyPath<Forger, [Thing]>) {
        guard !self[keyPath: things].contains(thing) else { return }
        if self[keyPath: things].count < Self.memory {
            self[keyPath: things].append(thing)
        } else {
            let index = fields.below(Self.memory)
            self[keyPath: things][index] = thing
        }
    }
}
