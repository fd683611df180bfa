import Glibc
import PotluckSystem

/// Dates as users write them, in this machine's time zone. Times are in milliseconds since 1970.
public enum WallClock {
    public static var now: Int64 { nanoseconds(of: CLOCK_REALTIME) / 1_000_000 }

    /// Reads `2026-11-20`, `2026-11-20T14:30`, `14:30` for today, `today`, `yesterday`, or a duration before `now`:
    /// `7d`, `12h`, `30m`.
    public static func moment(_ text: String, now: Int64 = now) -> Int64? {
        switch text.lowercased() {
        case "today": return midnight(now, daysBefore: 0)
        case "yesterday": return midnight(now, daysBefore: 1)
        default: break
        }
        if text.last?.isLetter == true, let seconds = Numbers.seconds(text), seconds >= 0, seconds < longest {
            return now - Int64(seconds * 1000)
        }
        let halves = text.split(whereSeparator: { $0 == "T" || $0 == " " })
        if halves.count == 1, text.contains(":") {
            guard let clock = clock(halves[0]), var day = midnight(now, daysBefore: 0).flatMap(local) else {
                return nil
            }
            (day.tm_hour, day.tm_min, day.tm_sec) = clock
            return milliseconds(day)
        }
        guard (1...2).contains(halves.count), var day = date(halves[0]) else { return nil }
        if halves.count == 2 {
            guard let clock = clock(halves[1]) else { return nil }
            (day.tm_hour, day.tm_min, day.tm_sec) = clock
        }
        return milliseconds(day)
    }

    /// A thousand years, in seconds.
    private static let longest = 3.2e10

    private static func whole(_ text: Substring, _ range: ClosedRange<Int32>) -> Int32? {
        guard (1...4).contains(text.count), text.allSatisfy({ $0.isASCII && $0.isNumber }), let number = Int32(text),
            range.contains(number)
        else { return nil }
        return number
    }

    private static func date(_ text: Substring) -> tm? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, let year = whole(parts[0], 1970...9999), let month = whole(parts[1], 1...12),
            let day = whole(parts[2], 1...31)
        else { return nil }
        var time = tm()
        (time.tm_year, time.tm_mon, time.tm_mday) = (year - 1900, month - 1, day)
        // mktime takes February 31 for March 3, but a user who types it made a mistake.
        guard let checked = milliseconds(time).flatMap(local), checked.tm_mday == day else { return nil }
        return time
    }

    private static func clock(_ text: Substring) -> (Int32, Int32, Int32)? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), let hour = whole(parts[0], 0...23), let minute = whole(parts[1], 0...59)
        else { return nil }
        if parts.count == 2 { return (hour, minute, 0) }
        return whole(parts[2], 0...60).map { (hour, minute, $0) }
    }

    private static func midnight(_ now: Int64, daysBefore: Int32) -> Int64? {
        guard var day = local(now) else { return nil }
        day.tm_mday -= daysBefore
        (day.tm_hour, day.tm_min, day.tm_sec) = (0, 0, 0)
        return milliseconds(day)
    }

    private static func milliseconds(_ time: tm) -> Int64? {
        var time = time
        time.tm_isdst = -1
        let seconds = mktime(&time)
        return seconds == -1 ? nil : Int64(seconds) * 1000
    }

    private static func local(_ milliseconds: Int64) -> tm? {
        var seconds = time_t(milliseconds / 1000)
        var result = tm()
        return localtime_r(&seconds, &result) == nil ? nil : result
    }

    /// The time of day in the form `14:30:05`.
    public static func clockText(_ milliseconds: Int64) -> String { String(exactText(milliseconds).suffix(8)) }

    /// The time in the form `2026-11-20 14:30:05`.
    static func exactText(_ milliseconds: Int64) -> String {
        let second = local(milliseconds)?.tm_sec ?? 0
        return text(milliseconds) + (second < 10 ? ":0\(second)" : ":\(second)")
    }

    /// The time in the form `2026-11-20 14:30`.
    public static func text(_ milliseconds: Int64) -> String {
        guard let time = local(milliseconds) else { return "?" }
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(time.tm_year + 1900)-\(two(time.tm_mon + 1))-\(two(time.tm_mday)) "
            + "\(two(time.tm_hour)):\(two(time.tm_min))"
    }
}
