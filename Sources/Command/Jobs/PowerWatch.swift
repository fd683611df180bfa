@preconcurrency import Dispatch
import PotluckCompute
import PotluckSystem

/// Rests while a laptop runs on its battery, unless its owner said otherwise.
final class PowerWatch: Sendable {
    /// People see within a moment that their laptop rests; looking costs two small files.
    private static let interval = Duration.seconds(3)

    private let timer: (any DispatchSourceTimer)?

    /// `change` is called with the cores that may compute, when that changes.
    init(cores: Int, runsOnBattery: Bool, change: @escaping @Sendable (Int) -> Void) {
        guard cores > 0, !runsOnBattery else {
            timer = nil
            return
        }
        let timer = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "potluck-power"))
        self.timer = timer
        let rests = Guarded(false)
        timer.schedule(deadline: .now(), repeating: Double(Self.interval.components.seconds))
        timer.setEventHandler {
            let isOnBattery = PowerSupply.now() == .battery
            let hasChanged = rests.with { rests in
                defer { rests = isOnBattery }
                return rests != isOnBattery
            }
            if hasChanged { change(isOnBattery ? 0 : cores) }
        }
        timer.resume()
    }

    func end() { timer?.cancel() }
}
