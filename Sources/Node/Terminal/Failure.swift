import Glibc
import PotluckCore

extension Failure {
    /// Adds the reason in `errno`.
    package init(cannot deed: String) { self.init(message: "cannot \(deed): \(String(cString: strerror(errno)))") }

    /// `obstacle` is the error number that `makeFolders` returned.
    package init(cannotMake folder: String, _ obstacle: Int32, advice: String = "use another folder with --state DIR") {
        if obstacle != 0 { errno = obstacle }
        self.init(message: Failure(cannot: "create \(folder)").message + "; " + advice)
    }
}
