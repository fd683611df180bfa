import PotluckCore
import PotluckNet

// Chooses the next messages of a page. That happens when the page can take them, so a slow page gets the latest picture
// and skips those before.
extension PageHub {
    /// Sends everything that the page has not seen, until the system takes no more.
    func flush(_ visitor: Visitor, _ viewer: Viewer, at now: Instant) {
        while !visitor.isBlocked,
            let json = next(for: viewer, at: now) ?? nextResults(for: viewer, visitor, at: now)
        {
            send(json, to: viewer, visitor)
        }
    }

    private func next(for viewer: Viewer, at now: Instant) -> [UInt8]? {
        if !viewer.work.isEmpty { return viewer.work.removeFirst() }
        if viewer.members != members.version {
            viewer.members = members.version
            return members.octets(for: viewer.page)
        }
        if let line = pictures.newsSince(viewer.news, at: now) {
            viewer.news = pictures.newsSeen(after: viewer.news)
            return line
        }
        if viewer.right == .host, let message = news.next(for: viewer) { return message }
        if viewer.mayWrite != mayWrite(viewer) {
            viewer.mayWrite.toggle()
            return GatewayMessage.writing(isOpen: viewer.mayWrite).octets
        }
        if viewer.programs != pictures.programs.version {
            viewer.programs = pictures.programs.version
            return pictures.programs.octets
        }
        for job in pictures.order { if let json = next(of: job, for: viewer) { return json } }
        if let over = viewer.jobs.keys.filter({ pictures.jobs[$0] == nil }).min() {
            viewer.jobs[over] = nil
            return GatewayMessage.over(over).octets
        }
        return nil
    }

    private func next(of id: JobID, for viewer: Viewer) -> [UInt8]? {
        guard let job = pictures.jobs[id] else { return nil }
        var seen = viewer.jobs[id] ?? Viewer.Seen()
        // The gateway forgot the job meanwhile, and its chart begins anew.
        if seen.version < job.first { seen = Viewer.Seen() }
        defer { viewer.jobs[id] = seen }
        if seen.version != job.version {
            seen.version = job.version
            return job.octets
        }
        if seen.guesses < job.guesses.count {
            let from = seen.guesses
            let guesses = Self.fitting(job.guesses[from...])
            seen.guesses += guesses.count
            return GatewayMessage.guesses(id, from: from, guesses: guesses)
        }
        guard seen.points < job.points.count else { return nil }
        let from = seen.points
        let points = Self.fitting(job.points[from...])
        seen.points += points.count
        return GatewayMessage.course(id, from: from, points: points)
    }

    private func nextResults(for viewer: Viewer, _ visitor: Visitor, at now: Instant) -> [UInt8]? {
        guard let rest = viewer.results, visitor.results.take(at: now) else { return nil }
        let some = Self.fitting(rest)
        let isLast = some.count == rest.count
        viewer.results = isLast ? nil : rest.dropFirst(some.count)
        return GatewayMessage.results(some, isLast: isLast)
    }

    /// The first items that fit in one message; at least one.
    private static func fitting(_ items: ArraySlice<[UInt8]>) -> ArraySlice<[UInt8]> {
        var room = GatewayLimits.picture
        var count = 0
        for item in items {
            room -= item.count + 1
            if room < 0, count > 0 { break }
            count += 1
        }
        return items.prefix(count)
    }

    /// Sends a message about work, or keeps it until the page can take it.
    func send(_ message: GatewayMessage, to page: PageID, at now: Instant) {
        guard let visitor = visitors.values.first(where: { $0.viewer?.page == page }), let viewer = visitor.viewer
        else {
            return
        }
        viewer.work.append(message.octets)
        guard viewer.work.reduce(0, { $0 + $1.count }) <= GatewayLimits.work else { return end(visitor, .silent) }
        flush(visitor, viewer, at: now)
    }
}
