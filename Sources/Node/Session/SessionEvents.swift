import PotluckCore
import PotluckEngine
import PotluckNet
import PotluckRanks

public typealias Mode = PotluckCore.Mode
public typealias NodeID = PotluckCore.NodeID
public typealias Peer = PotluckCore.Peer
public typealias PeerState = PotluckCore.PeerState
public typealias Role = PotluckCore.Role
public typealias Reliability = PotluckCore.Reliability
public typealias Recipients = PotluckEngine.Recipients
public typealias RankShow = PotluckRanks.RankShow
public typealias SessionEnd = PotluckEngine.SessionEnd
public typealias SessionID = PotluckCore.SessionID
public typealias SessionTrouble = PotluckEngine.SessionTrouble

extension Session {
    /// An event that a session reports to its owner.
    public enum Event: Sendable {
        /// A peer changed its state. `gone` is a peer's last state.
        case peer(Peer)
        /// A newcomer waits for approval. This occurs only if the session was started with `asksConsent`, or after a
        /// peer with the same address was removed.
        case request(Request)
        /// The nodes that the owner has approved are these now: `accept` adds one, and `remove` takes one away. Give them to
        /// the next server of this session, so that they need no approval again.
        case approved([NodeID])
        /// A program sent this message.
        case message(Message)
        /// A person sent this text, for people to read.
        case said(String, from: NodeID)
        /// The members of the session, as the server reports them to its clients.
        case roster([RosterEntry])
        /// This node's permissions changed.
        case role(Role)
        /// Several sessions have this name. This node joins none until `choose` is called.
        case choice([Peer])
        /// A connection was rejected, for example because of a wrong code. The refusal says why.
        case turnedAway(Endpoint, Refusal)
        /// A problem that does not end the session, such as a node with another code.
        case trouble(SessionTrouble)
        /// An event of one of the session's jobs.
        case job(JobEvent)
        /// The state of a program with ranks that somebody launched in the session. The number distinguishes launches.
        case program(UInt64, RankShow)
        /// The last event.
        case ended(SessionEnd)

        /// The event's approximate size in bytes, for `SessionQueue`.
        var size: Int {
            switch self {
            case .message(let message): message.octets.count + 128
            case .said(let text, _): text.utf8.count + 128
            case .program(_, let show): show.rows.count * 128 + 128
            default: 128
            }
        }
    }

    /// A message that a program sent with `Session.send`.
    public struct Message: Sendable, Hashable {
        public let octets: [UInt8]
        public let sender: NodeID
        public let reliability: Reliability
        /// Whether the sender sent a value. `octets` is then the value's coded form.
        public let isValue: Bool

        /// Returns the value that was sent. Throws a `DecodingError` if bytes were sent, or a value of another type.
        public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
            guard isValue else {
                let what = DecodingError.Context(codingPath: [], debugDescription: "octets, and not a coded value")
                throw DecodingError.typeMismatch(type, what)
            }
            return try ValueDecoder.value(type, of: octets)
        }
    }

    /// A peer that asks to join. The owner answers with `accept` or `decline`.
    public struct Request: Sendable {
        public let peer: Peer
        let session: Session

        public func accept() async { await session.accept(peer.node) }
        public func decline() async { await session.decline(peer.node) }
    }

    /// The session's events in the order in which they happened, until the session ends. Only one task may read them.
    /// If it reads slowly, the session holds back its links, so no event is lost and the queue stays bounded.
    public struct Events: AsyncSequence, Sendable {
        let session: Session

        public struct AsyncIterator: AsyncIteratorProtocol {
            let session: Session

            public func next() async -> Event? { await session.nextEvent() }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session: session) }
    }
}
