import PotluckCore

// Orders and simulations that one machine can run alone but that fit no message of a session. They are refused when the
// job is ordered, because a message that is too long breaks the link.

extension JobOrder {
    /// Why the order cannot be sent, in one line; nil if it can.
    var obstacle: String? {
        let experiment = recipe.experiment
        guard experiment.parameters.count > JobMessage.mostParameters else { return nil }
        return "\(experiment.simulation.name) has \(experiment.parameters.count) parameters; a session takes at most "
            + "\(JobMessage.mostParameters), so run it on one machine"
    }
}

extension JobRecipe {
    /// Names the blob, the tables or the module of the job, followed by a verb: `several` for tables, `one` for a
    /// module.
    func words(_ blob: BlobReference, _ one: String, _ several: String) -> String {
        blob == payload ? "its tables \(several)" : "its module \(one)"
    }
}

extension Preparation {
    /// The preparation, or why a session cannot run it if its tally does not fit into a message.
    var forMessages: Preparation {
        guard case .ready(let facts) = self, facts.layout.empty.count > JobMessage.mostSlots else { return self }
        return .impossible(
            "its tally has \(facts.layout.empty.count) numbers; a session takes at most \(JobMessage.mostSlots), so run it on "
                + "one machine or use fewer bins")
    }
}
