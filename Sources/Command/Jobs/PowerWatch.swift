@preconcurrency import Dispatch
import PotluckMachine
import PotluckSystem

/// Stops computing while a laptop runs on battery, unless its owner wants it to continue.
final class PowerWatch: Sendable {
    /// How often to look. Users see quickly that their laptop rests, and each look only reads two small files.
    private static let interval = Duration.seconds(3)

    private let timer: (any DispatchSourceTimer)?

    /// `change` is called with the number of cores that may compute, each time that it changes.
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
