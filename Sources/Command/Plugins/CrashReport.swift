import PotluckSandbox
import PotluckWorkshop

/// Finds the line of a source file in which a module crashed. The module itself cannot tell: it stops with one
/// instruction, whatever was wrong. So the file is compiled again with the places of its source, and the failing block
/// runs once more.
enum CrashReport {
    /// Returns the text with what is known about the crash in place of what may have caused it. `places` are those of the
    /// crash in the module, which was compiled with the places of its source.
    static func located(_ text: String, places: [Int], in module: [UInt8]) -> String {
        guard !places.isEmpty, let place = try? PluginFiles.workshop().crashPlace(places, in: module) else {
            return text
        }
        guard let vague = text.firstRange(of: SandboxError.crash) else {
            return text + (place.line.map { " (line \($0))" } ?? "")
        }
        return text[..<vague.lowerBound] + place.text + text[vague.upperBound...]
    }

    /// Returns the text with what is known about the crash in place of what may have caused it. `failure` runs what
    /// crashed with another build of the plugin.
    static func located(_ text: String, _ path: String, _ plugin: Plugin, _ failure: (Plugin) -> SandboxError?)
        -> String
    {
        guard path.hasSuffix(".swift"), text.contains(SandboxError.crash),
            let module = try? PluginFiles.workshop().build(path, label: path, .traced).module,
            let traced = try? PluginFiles.plugin(path, of: module, plugin.limits),
            let places = failure(traced)?.places
        else { return text }
        return located(text, places: places, in: module)
    }
}
