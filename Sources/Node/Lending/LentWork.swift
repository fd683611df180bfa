import PotluckCore
import PotluckKit

/// A job as a page needs it.
struct LentWork: Sendable {
    let recipe: JobRecipe
    /// The job's simulation, as this computer would compute it.
    let simulation: PreparedSimulation
    let module: [UInt8]
    /// The tables that the simulation reads; nil if there are none.
    let tables: [UInt8]?
}

extension Simulations {
    /// Returns the same preparation with a page in the place of this computer's cores.
    func lent(
        _ prepared: Prepared, _ job: JobID, _ recipe: JobRecipe, to page: PageDevice, _ store: BlobStore,
        givesUp: @escaping @Sendable (String) -> Void
    ) -> Prepared {
        guard let simulation = prepared.ready else { return prepared }
        guard simulation.search == nil else { return (nil, .impossible("browsers compute no searches")) }
        // A browser's processor may give a NaN other bits than ours, and the kit makes them equal; see decision 60.
        guard recipe.experiment.simulation.streams > 0 else {
            return (nil, .impossible("browsers compute only simulations that are made with the kit"))
        }
        guard let module = module(of: recipe, store) else {
            return (nil, .impossible("this node has no module of \(recipe.experiment.simulation.name)"))
        }
        if let payload = recipe.payload, payload.size > Self.largestLentTables {
            return (nil, .impossible("its tables are too large for a browser"))
        }
        let tables = recipe.payload.flatMap { store.octets(of: $0.hash, atMost: BlobReference.largestPayload) }
        guard (tables == nil) == (recipe.payload == nil) else { return (nil, .impossible("its tables are missing")) }
        let work = LentWork(recipe: recipe, simulation: simulation, module: module, tables: tables)
        switch page.prepare(job, work, givesUp: givesUp) {
        case .success(let lent): return (lent, prepared.what)
        case .failure(let refusal): return (nil, .impossible(refusal.reason))
        }
    }

    /// The most bytes of tables that travel to a browser. A room has thirty of them, and this node keeps a copy for each.
    private static var largestLentTables: Int { 4 << 20 }

    private func module(of recipe: JobRecipe, _ store: BlobStore) -> [UInt8]? {
        if let module = recipe.module, let octets = store.module(module.hash) { return octets }
        return builtIn(recipe.experiment.simulation).flatMap(plugins.bundled)
    }
}
