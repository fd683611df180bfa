import PotluckCore
import PotluckEngine
import PotluckNet
import PotluckSystem

/// Performs the engine's effects: sends messages, opens and closes links, sets timers and tells the owner.
extension Session {
    func perform(_ effect: Effect) {
        switch effect {
        case .session(let effect): perform(effect)
        case .wake(let time):
            clock.call(at: time) { [transport, weak self] in
                Task(executorPreference: transport.executor) { await self?.handle(.woke) }
            }
        case .answer(let answer, let token): self.answer(token, answer)
        case .tell(let event): emit(.job(event))
        case .job: break
        }
    }

    private func perform(_ effect: SessionEffect) {
        switch effect {
        case .dial(.dialled(let number), let target): transport.dial(DialNumber(number), to: target.candidates)
        case .dial(.accepted, _): break
        case .greet(let name, let introduction):
            guard let link = links[name] else { return }
            let proof = Self.proof(link.binding, byDialler: link.isDialled)
            let hello = Hello(
                introduction: introduction, publicKey: identity.publicKey, signature: identity.signature(of: proof))
            carrier(of: link.id).send(
                PotluckCore.Message.hello(hello).encoded(), on: link.id, lane: .control, reliability: .reliable)
        case .send(let name, let message, let reliably):
            guard let link = links[name] else { return }
            let reliability: Reliability = reliably ? .reliable : .unreliable
            if link.id.isInside { return inside.send(message, on: link.id, reliability: reliability) }
            transport.send(octets(message), on: link.id, lane: message.lane, reliability: reliability)
        case .close(let name): close(name)
        case .changed(let peer):
            switch peer.state {
            case .suspect, .gone: lost(peer.node)
            case .available, .connecting, .connected: break
            }
            emit(.peer(peer))
        case .approved(let nodes): emit(.approved(nodes))
        case .ask(let peer): emit(.request(Request(peer: peer, session: self)))
        case .deliver(let octets, let form, let from, let reliably):
            emit(
                .message(
                    Message(
                        octets: octets, sender: from, reliability: reliably ? .reliable : .unreliable,
                        isValue: form == .value)))
        case .said(let text, let from): emit(.said(text, from: from))
        case .roster(let entries):
            took(entries)
            emit(.roster(entries))
        case .role(let role): emit(.role(role))
        case .choose(let peers): emit(.choice(peers))
        case .announce(let available): discovery.announce(available ? listening.with { $0 } : nil)
        case .trouble(let trouble): emit(.trouble(trouble))
        case .ended(let end):
            emit(.ended(end))
            refuseAll("the session has ended")
            watch?.cancel()
            discovery.stop()
            for transport in transports { transport.stop(.leaving) }
        }
    }

    /// Encodes a message for sending. The coordinator sends the same picture to every node, and it may be long, so the
    /// last one is kept and encoded only once.
    private func octets(_ message: PotluckCore.Message) -> [UInt8] {
        guard case .job(.picture(let picture)) = message else { return message.encoded() }
        if let last = lastPicture, last.picture == picture { return last.octets }
        let octets = message.encoded()
        lastPicture = (picture, octets)
        return octets
    }

    private func close(_ name: LinkName) {
        let node = links[name]?.node
        if let id = links.remove(name) {
            lost(id)
            if let node, let other = engine.link(to: node), other != name { broke(id) }
            carrier(of: id).close(id, .leaving)
        } else if case .dialled(let number) = name {
            transport.cancel(DialNumber(number))
        }
    }
}

extension DialTarget {
    /// The places to try when dialling this target.
    var candidates: [Candidate] {
        switch self {
        case .node(_, let endpoints): endpoints.map(Candidate.endpoint)
        case .address(let host, let port): [.host(host, port: port)]
        }
    }
}

extension PotluckCore.Message {
    /// Parcels share one lane to stay in order, and a goodbye follows them in it. Other messages are short and use the
    /// control lane, where they do not wait behind bulk data.
    var lane: LinkLane {
        switch self {
        case .parcel, .goodbye: .bulk
        case .job(let message): message.prefersBulk ? .bulk : .control
        case .ranks(let frame): frame.prefersBulk ? .bulk : .control
        case .hello, .welcome, .decline, .hold, .received, .roster, .role: .control
        }
    }
}
