import PotluckCore

/// Handles the passing of time: timeouts, dials, rosters and acknowledgements.
extension SessionMachine {
    /// Starts every timeout over. Called after this laptop slept, because it heard no node meanwhile.
    mutating func slept(_ now: Instant) {
        wakeUp.isSettled = false
        for (node, member) in members.elements {
            if case .suspect = member.standing {
                members.change(node) { $0.standing = .suspect(until: now + SessionLimits.grace) }
            }
            if !member.isConnected { plan(node, now) }
        }
        for index in addresses.indices { addresses[index].nextDial = now }
        for (link, state) in links.elements {
            switch state {
            case .dialling(let target, _): links[link] = .dialling(target, since: now)
            case .open(let target, let address, _): links[link] = .open(target, address: address, since: now)
            case .undecided(let node, let hello, let address, _):
                links[link] = .undecided(node, hello, address: address, since: now)
            case .greeted: changeGreeted(link) { $0.since = now }
            case .established: break
            }
        }
    }

    /// Does everything that is due. Returns the time of the next call; nil if nothing will be due.
    mutating func doWhatIsDue(_ now: Instant) -> Instant? {
        var due: [Instant] = []
        for link in links.keys { decide(link, now) }
        due += expireLinks(now)
        due += expireSuspects(now)
        if let dial = dial(now) { due.append(dial) }
        if let report = reportOthers(now) { due.append(report) }
        if setup.mode == .client, choice.chosen == nil, now < begun + SessionLimits.look {
            due.append(begun + SessionLimits.look)
        }
        for case .undecided(_, _, _, let since) in links.elements.map(\.value) where now < since + SessionLimits.rival {
            due.append(since + SessionLimits.rival)
        }
        if let at = rosterAt {
            if at <= now {
                rosterAt = nil
                sendRoster()
            } else {
                due.append(at)
            }
        }
        due += acknowledge(now)
        // This comes after the dials, so that a peer that is dialled is reported once.
        reportPeers()
        return due.min()
    }

    /// Closes links whose dial or handshake has timed out. Returns the times of the next checks.
    private mutating func expireLinks(_ now: Instant) -> [Instant] {
        var due: [Instant] = []
        for (link, state) in links.elements {
            let deadline: Instant
            switch state {
            case .dialling(_, let since): deadline = since + SessionLimits.dialDeadline
            case .open(_, _, let since), .undecided(_, _, _, let since):
                deadline = since + SessionLimits.handshakeDeadline
            case .greeted(let greeted):
                // A user decides here, so there is no timeout.
                guard greeted.wait == .link else { continue }
                deadline = greeted.since + SessionLimits.handshakeDeadline
            case .established: continue
            }
            guard deadline <= now else {
                due.append(min(deadline, now + SessionLimits.pulse))
                continue
            }
            drop(link)
            switch state {
            case .dialling(let target, _), .open(let target?, _, _): failed(target, .lost, now)
            case .undecided(let node, _, _, _): failed(node, now)
            case .greeted(let greeted): failed(greeted.node, now)
            case .open(nil, _, _), .established: break
            }
        }
        return due
    }

    /// Forgets suspect peers that have not reconnected in time. Returns the times of the next checks.
    private mutating func expireSuspects(_ now: Instant) -> [Instant] {
        var due: [Instant] = []
        for (node, member) in members.elements {
            guard case .suspect(let until) = member.standing else { continue }
            if until <= now {
                gone(node, .lost)
                rosterChanged(now)
            } else {
                due.append(min(until, now + SessionLimits.pulse))
            }
        }
        return due
    }
}
