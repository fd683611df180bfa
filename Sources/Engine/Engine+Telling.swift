import PotluckCore

extension Engine {
    /// Returns the event of which an effect tells the node's user; nil if the effect is not for users. Call it when the
    /// effect is carried out.
    public func told(by effect: Effect) -> JobEvent? {
        switch effect {
        case .publish(let snapshot): .snapshot(snapshot)
        case .finished(let id, let result): .finished(id, result, isOurs: !isShown(id))
        case .failed(let id, let why): .failed(id, why)
        case .lost(let id): .lost(id)
        case .news(let news): .news(news)
        case .session, .answer, .prepare, .readPart, .keepPart, .shelve, .discard, .collect, .seal, .unseal, .compute,
            .bound, .interrupt, .drop, .forget, .stepDown, .read, .record, .wake:
            nil
        }
    }
}
