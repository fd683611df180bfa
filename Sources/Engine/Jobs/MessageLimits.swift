import PotluckModel
import PotluckWire

// Orders and simulations that one machine can run alone but that fit no message of a session. They are refused when the job
// is ordered, because a message that is too long breaks the link.

extension JobOrder {
    /// Why it cannot be sent, in one line; nil where it can.
    var obstacle: String? {
        guard experiment.parameters.count > JobMessage.mostParameters else { return nil }
        return "\(experiment.simulation.name) has \(experiment.parameters.count) parameters; a session takes at most "
            + "\(JobMessage.mostParameters), so run it on one machine"
    }
}

extension JobRecipe {
    /// Its module or its tables, and what about them, in one of two numbers.
    func words(_ blob: BlobReference, _ one: String, _ several: String) -> String {
        blob == payload ? "its tables \(several)" : "its module \(one)"
    }
}

extension Preparation {
    /// The same, or why its tally cannot be sent.
    var forMessages: Preparation {
        guard case .ready(let facts) = self, facts.layout.empty.count > JobMessage.mostSlots else { return self }
        return .impossible(
            "its tally has \(facts.layout.empty.count) numbers; a session takes at most \(JobMessage.mostSlots), so run it on "
                + "one machine or use fewer bins")
    }
}
