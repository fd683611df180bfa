import PotluckCore
import PotluckEngine
import PotluckNet
import PotluckSystem

/// Translates the events of transports into events for the engine, and verifies which node a link belongs to.
extension Session {
    func took(_ event: TransportEvent) {
        switch event {
        case .opened(let id, let origin, let remote, let binding):
            let name: LinkName
            switch origin {
            case .dialled(let dial): name = .dialled(dial.number)
            case .accepted: name = .accepted(id.number)
            }
            links.add(SessionLinks.Link(id: id, isDialled: origin != .accepted, binding: binding), as: name)
            if areHeld { carrier(of: id).hold(id, true) }
            dispatch(.opened(name, address: remote.octets))
        case .received(let id, let octets): received(id, octets)
        case .handed(let id, let message): if let (name, _) = links[id] { dispatch(.received(name, message)) }
        case .closed(let id, _): closed(id, .lost)
        case .dialFailed(let dial, let failure):
            dispatch(.closed(.dialled(dial.number), failure == .wrongCode ? .wrongCode : .unreachable))
        case .refused(let endpoint, let refusal): emit(.turnedAway(endpoint, refusal))
        case .roundTrip(let id, let time):
            if let node = links.took(id, roundTrip: time) { handle(.roundTrip(node, time)) }
        case .drained: break
        case .stopped: queue.finish()
        }
    }

    private func received(_ id: LinkID, _ octets: [UInt8]) {
        guard let (name, link) = links[id] else { return }
        do {
            switch try PotluckCore.Message.decode(octets) {
            case .hello(let hello): greeted(name, link, hello)
            case .ranks(let frame): took(frame, name, link)
            case let message?: dispatch(.received(name, message))
            case nil: break
            }
        } catch {
            emit(.trouble(.protocolBroken(nil, "\(error)")))
            carrier(of: id).close(id, .leaving)
            closed(id, .lost)
        }
    }

    /// Verifies a node's ID. The signature covers the link's binding, which only its two ends know, and which end
    /// signed.
    private func greeted(_ name: LinkName, _ link: SessionLinks.Link, _ hello: Hello) {
        let proof = Self.proof(link.binding, byDialler: !link.isDialled)
        guard Identity.isSignature(hello.signature, of: proof, by: hello.publicKey) else {
            carrier(of: link.id).close(link.id, .leaving)
            return closed(link.id, .unproven)
        }
        let node = Identity.node(of: hello.publicKey)
        links.belongs(name, to: node)
        dispatch(.greeted(name, hello.introduction, by: node))
    }

    /// Returns the bytes that a node signs to prove its ID on a link.
    static func proof(_ binding: [UInt8], byDialler: Bool) -> [UInt8] {
        Array("potluck/1 hello".utf8) + [byDialler ? 1 : 0] + binding
    }

    private func closed(_ id: LinkID, _ loss: LinkLoss) {
        guard let name = links.remove(id) else { return }
        lost(id)
        broke(id)
        dispatch(.closed(name, loss))
    }
}
