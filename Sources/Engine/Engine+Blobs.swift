import PotluckCore

/// Prepares jobs and transfers blobs.
extension Engine {
    // MARK: Getting ready

    /// Takes the news that the simulation of a job is ready here, or cannot be. This node coordinates the job or
    /// computes it.
    mutating func prepared(_ id: JobID, _ preparation: Preparation, _ turn: inout Turn) {
        if coordinator.isPending(id) {
            coordinator.prepared(id, session == nil ? preparation : preparation.forMessages, &turn)
        } else {
            workerTasks.prepared(id, preparation, &turn)
        }
    }

    /// Returns the recipe of a job that is being prepared and the node that has its parts; nil if it is not being
    /// prepared.
    func preparing(_ id: JobID) -> (recipe: JobRecipe, source: NodeID)? {
        if let taken = coordinator.pending.first(where: { $0.id == id })?.taken {
            return (taken.order.recipe, taken.submitter)
        }
        return workerTasks.preparing(id).map { ($0.spec.recipe, $0.coordinator) }
    }

    /// A blob for a job is missing. It is fetched from the node that the job came from.
    mutating func lacks(_ blob: BlobReference, _ id: JobID, _ turn: inout Turn) {
        if session != nil, coordinator.search(blob, for: id, now: turn.now) { return search(&turn) }
        guard let (recipe, source) = preparing(id), source != own, connected[source] != nil else {
            return prepared(id, .lacks(blob), &turn)
        }
        guard let loss = blobs.get(blob, for: .recipe(id), from: source, &turn) else { return }
        prepared(id, .impossible(words(loss, blob, recipe, source)), &turn)
    }

    /// Asks the next node for the blobs that continued jobs lack. Such a job fails to begin when the search has timed
    /// out.
    mutating func search(_ turn: inout Turn) {
        for (id, blob, until) in coordinator.searches {
            if let source = coordinator.nextSource(for: id, among: connected.keys) {
                guard let loss = blobs.get(blob, for: .recipe(id), from: source, &turn),
                    let recipe = preparing(id)?.recipe
                else { continue }
                prepared(id, .impossible(words(loss, blob, recipe, source)), &turn)
            } else if until <= turn.now {
                prepared(id, .lacks(blob), &turn)
            }
        }
    }

    func words(_ loss: Blobs.Loss, _ blob: BlobReference, _ recipe: JobRecipe, _ source: NodeID) -> String {
        loss.words(recipe.words(blob, "did", "did"), from: name(of: source))
    }

    mutating func conclude(_ outcomes: [Blobs.Outcome], _ turn: inout Turn) {
        for outcome in outcomes {
            switch (outcome.purpose, outcome.loss) {
            case (.recipe(let id), let loss):
                let recipe = preparing(id)?.recipe
                if let loss, loss.isOfSource, coordinator.searchFailed(id) {
                    search(&turn)
                } else if let loss, let recipe {
                    prepared(id, .impossible(words(loss, outcome.blob, recipe, outcome.source)), &turn)
                } else if let recipe {
                    turn.act(.prepare(id, recipe))
                }
            case (.output(let attempt), let loss?): coordinator.lost(attempt, loss, &turn)
            case (.output(let attempt), nil): coordinator.change(attempt.job) { $0.came(attempt.number, &turn) }
            case (.whole(_, let token), let loss?):
                let why = loss.words("its output did", from: name(of: outcome.source))
                turn.answer(.refused(why), token: token)
            case (.whole(_, let token), nil):
                turn.answer(.output(outcome.blob), token: token)
            }
        }
    }

    /// Fetches the outputs of chunks. Those of this node are here already.
    mutating func fetchOutputs(_ turn: inout Turn) {
        let outputs = turn.outputs
        turn.outputs = []
        for (attempt, blob, node) in outputs {
            if node == own {
                coordinator.change(attempt.job) { $0.came(attempt.number, &turn) }
            } else {
                _ = blobs.get(blob, for: .output(attempt), from: node, &turn)
            }
        }
    }

    mutating func forgetUnwanted(_ turn: inout Turn) {
        let hasGivenUp = coordinator.takeGivenUp()
        guard hasGivenUp || blobs.hasRecipes else { return }
        let (workerTasks, coordinator) = (workerTasks, coordinator)
        blobs.keepOnly(&turn) { purpose in
            switch purpose {
            case .recipe(let id): coordinator.isPending(id) || workerTasks.preparing(id) != nil
            case .output(let attempt): coordinator.isArriving(attempt)
            case .whole: true
            }
        }
    }

    func name(of node: NodeID) -> String {
        session?.peers.first { $0.node == node }?.displayName ?? node.short
    }
}
