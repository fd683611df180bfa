import PotluckEngine
import PotluckLinks
import PotluckModel
import PotluckWire

public typealias Mode = PotluckModel.Mode
public typealias NodeID = PotluckModel.NodeID
public typealias Peer = PotluckModel.Peer
public typealias PeerState = PotluckModel.PeerState
public typealias Role = PotluckModel.Role
public typealias Reliability = PotluckModel.Reliability
public typealias Recipients = PotluckEngine.Recipients
public typealias SessionEnd = PotluckEngine.SessionEnd
public typealias SessionID = PotluckModel.SessionID
public typealias SessionTrouble = PotluckEngine.SessionTrouble

extension Session {
    /// What a session tells its owner.
    public enum Event: Sendable {
        /// A peer changed state. `gone` is the last that is said of it.
        case peer(Peer)
        /// Somebody wants in and waits for an answer. Only where the session was started with `asksConsent`, or after the
        /// peer's address was sent away.
        case request(Request)
        /// A program sent this.
        case message(Message)
        /// A person sent this, for people's screens.
        case said(String, from: NodeID)
        /// All who are in the session, as its server tells its clients.
        case roster([RosterEntry])
        /// What this node may do from now on.
        case role(Role)
        /// Several sessions have this name. Nothing is joined before `choose`.
        case choice([Peer])
        /// Somebody without the code was turned away.
        case turnedAway(Endpoint, Refusal)
        case trouble(SessionTrouble)
        /// About a job of this session.
        case job(JobEvent)
        /// The last event.
        case ended(SessionEnd)

        /// What it takes up, roughly.
        var size: Int {
            switch self {
            case .message(let message): message.octets.count + 128
            case .said(let text, _): text.utf8.count + 128
            default: 128
            }
        }
    }

    /// What a program sent.
    public struct Message: Sendable, Hashable {
        public let octets: [UInt8]
        public let sender: NodeID
        public let reliability: Reliability
        /// Whether it was sent as a value, and `octets` are that in coded form.
        public let isValue: Bool

        /// The value that was sent. Throws a `DecodingError` where octets were sent, or a value of another type.
        public func decoded<T: Decodable>(as type: T.Type = T.self) throws -> T {
            guard isValue else {
                let what = DecodingError.Context(codingPath: [], debugDescription: "octets, and not a coded value")
                throw DecodingError.typeMismatch(type, what)
            }
            return try ValueDecoder.value(type, of: octets)
        }
    }

    /// A peer that wants in.
    public struct Request: Sendable {
        public let peer: Peer
        let session: Session

        public func accept() async { await session.accept(peer.node) }
        public func decline() async { await session.decline(peer.node) }
    }

    /// Events in the order in which they happened, until the session has ended. One task reads them. Whoever reads slowly
    /// has the peers that send much wait; nothing is lost and nothing grows without end.
    public struct Events: AsyncSequence, Sendable {
        let session: Session

        public struct AsyncIterator: AsyncIteratorProtocol {
            let session: Session

            public func next() async -> Event? { await session.nextEvent() }
        }

        public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(session: session) }
    }
}
