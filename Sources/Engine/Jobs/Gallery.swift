import PotluckModel
import PotluckWire

/// The jobs of other coordinators, as they show them.
struct Gallery: Sendable {
    private struct Shown: Sendable {
        let coordinator: NodeID
        let spec: JobSpec
        var course: [CoursePoint] = []
        /// It failed, or its result came.
        var isOver = false
    }

    /// No job passes more checkpoints.
    private static let mostCourse = 224

    private var jobs = OrderedTable<JobID, Shown>()

    func coordinator(of id: JobID) -> NodeID? { jobs[id]?.coordinator }

    mutating func job(_ id: JobID, _ spec: JobSpec, from coordinator: NodeID) {
        if let shown = jobs[id], shown.coordinator != coordinator { return }
        let theirs = jobs.elements.filter { $0.value.coordinator == coordinator }
        if theirs.count >= 2 * JobLimits.jobs, let oldest = theirs.first { jobs[oldest.key] = nil }
        jobs[id] = Shown(coordinator: coordinator, spec: spec)
    }

    mutating func course(_ id: JobID, _ index: Int, _ point: CoursePoint, from coordinator: NodeID) {
        guard let shown = jobs[id], shown.coordinator == coordinator, index <= shown.course.count,
            index < Self.mostCourse
        else { return }
        jobs.change(id) {
            // A share was taken out, and the checkpoints after it are judged anew.
            $0.course.removeLast($0.course.count - index)
            $0.course.append(point)
        }
    }

    mutating func picture(_ picture: JobPicture, from coordinator: NodeID, _ deeds: inout Deeds) {
        guard let shown = jobs[picture.job], shown.coordinator == coordinator, !shown.isOver else { return }
        deeds.effects.append(.publish(picture.snapshot(shown.spec, shown.course)))
        if case .failed(let why) = picture.state {
            jobs.change(picture.job) { $0.isOver = true }
            deeds.effects.append(.failed(picture.job, why))
        }
    }

    mutating func result(_ id: JobID, _ result: JobResult, from coordinator: NodeID, _ deeds: inout Deeds) {
        guard let shown = jobs[id], shown.coordinator == coordinator, !shown.isOver else { return }
        jobs.change(id) { $0.isOver = true }
        deeds.effects.append(.finished(id, result))
    }

    /// A coordinator is gone.
    mutating func lost(_ coordinator: NodeID, _ deeds: inout Deeds) {
        for (id, shown) in jobs.elements where shown.coordinator == coordinator {
            jobs[id] = nil
            if !shown.isOver { deeds.effects.append(.lost(id)) }
        }
    }
}
