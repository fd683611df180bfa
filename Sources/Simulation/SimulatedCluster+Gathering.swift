import PotluckCore

/// The laptops of a schedule, and the paths between them.
extension SimulatedCluster {
    private static let names = ["ana", "bo", "cy", "dee", "eli", "fay", "gus"]

    func gather() {
        guests = chance(0.75) ? .submits : .watches
        let shape = random.fraction()
        if shape < 0.05 {
            arrive("ana", mode: nil, cores: pick(1...3))
        } else if shape < 0.7 {
            arrive("ana", mode: .server, cores: pick(0...2))
            for name in Self.names[1...pick(1...4)] {
                if chance(0.1) {
                    // A peer may become the coordinator, which judges results, so it must be honest.
                    arrive(name, mode: .peer, cores: pick(1...2))
                } else {
                    guest(name, cores: pick(1...2))
                }
            }
        } else {
            arrive("ana", mode: .peer, cores: pick(0...2))
            for name in Self.names[1...pick(1...3)] { arrive(name, mode: .peer, cores: pick(1...2)) }
            if chance(0.4) { guest("gus", cores: 1) }
        }
        for seat in laptops.indices where chance(0.1) { laptops[seat].faults.isFirewalled = laptops.count > 1 }
        // Two nodes that accept no connections could never connect to each other.
        if laptops.count(where: \.faults.isFirewalled) > 1 {
            for laptop in laptops { laptop.faults.isFirewalled = false }
        }
        wire()
        for seat in laptops.indices {
            guard seat > 0, chance(0.3) else {
                begin(seat)
                continue
            }
            // This node starts later.
            laptops[seat].isRunning = false
            laptops[seat].start += 1
            after(.milliseconds(100) ... .seconds(8)) { $0.restart(seat) }
        }
    }

    /// A guest is a laptop, or a page in somebody's browser, which is closed sooner and lies more often.
    private func guest(_ name: String, cores: Int) {
        var character = character()
        let isBrowser = absurdity.fraction() < 0.3
        if isBrowser, absurdity.fraction() < 0.2 { character.lies = [1, 3, 10][Int(absurdity.next(below: 3))] }
        let seat = arrive(name, mode: .client, cores: cores, character: character, isBrowser: isBrowser)
        guard isBrowser, absurdity.fraction() < 0.5 else { return }
        let closes = Duration.milliseconds(500 + Int64(absurdity.next(below: 15_000)))
        let away = Duration.milliseconds(100 + Int64(absurdity.next(below: 6_000)))
        after(closes) { room in
            room.crash(seat, powerFails: false)
            room.after(away) { $0.restart(seat) }
        }
    }

    private func character() -> Character {
        var character = Character()
        switch random.fraction() {
        case ..<0.1: character.lacks = true
        case ..<0.2:
            character.lies = [1, 3, 10][pick(0...2)]
            character.stints = character.lies == 1 && absurdity.fraction() < 0.4
        case ..<0.25: character.slowness = Int64(pick(5...60))
        case ..<0.3: character.forges = true
        default: break
        }
        return character
    }

    private func wire() {
        let style = random.fraction()
        for a in laptops.indices {
            for b in laptops.indices where a != b {
                switch style {
                case ..<0.6: break
                case ..<0.75: change(a, b) { $0.delay = .milliseconds(1) ... .milliseconds(80) }
                case ..<0.85: change(a, b) { $0.delay = .milliseconds(20) ... .milliseconds(400) }
                default:
                    let rate = Int64(pick(20...500)) * 1000
                    change(a, b) { ($0.delay, $0.rate) = (.milliseconds(2) ... .milliseconds(20), rate) }
                }
            }
        }
    }
}
