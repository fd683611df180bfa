import Foundation
import Glibc
import Testing

@testable import PotluckSystem

/// Which folders and files another user cannot have written.
@Suite final class OwnFolderTests {
    private let root = FileManager.default.temporaryDirectory.appending(path: "potluck-own-\(UUID().uuidString)").path

    init() throws { try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true) }
    deinit { try? FileManager.default.removeItem(atPath: root) }

    private func mode(_ path: String) throws -> Int {
        try #require(FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int)
    }

    private func defect(_ path: String) -> FolderError? {
        do throws(FolderError) { try makeOwnFolder(path, denying: othersWrite) } catch { return error }
        return nil
    }

    @Test func aFolderIsCreatedForItsUserAlone() throws {
        #expect(defect(root + "/a/b") == nil)
        for folder in ["/a", "/a/b"] { #expect(try mode(root + folder) == 0o700) }
    }

    @Test func onlyDeniedPermissionsAreTakenAway() throws {
        for (before, after, closed) in [(0o755, 0o755, 0o700), (0o777, 0o755, 0o700), (0o700, 0o700, 0o700)]
            as [(mode_t, Int, Int)]
        {
            chmod(root, before)
            #expect(defect(root) == nil)
            #expect(try mode(root) == after)
            try makeOwnFolder(root, denying: S_IRWXG | S_IRWXO)
            #expect(try mode(root) == closed)
        }
    }

    @Test func aPathThatIsNoFolderIsRefused() throws {
        try "".write(toFile: root + "/file", atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: root)
        #expect(defect(root + "/file") == .notAFolder)
        #expect(defect(root + "/link") == .notAFolder)
        #expect(defect(root + "/file/inner") == .missing(ENOTDIR))
    }

    @Test func filesThatOthersCanWriteAreNotOwn() throws {
        let file = root + "/file"
        try "".write(toFile: file, atomically: false, encoding: .utf8)
        try FileManager.default.createSymbolicLink(atPath: root + "/link", withDestinationPath: file)
        for (mode, isOwn) in [(0o755, true), (0o600, true), (0o775, false), (0o602, false)] as [(mode_t, Bool)] {
            chmod(file, mode)
            #expect(PotluckSystem.isOwn(file, S_IFREG) == isOwn)
        }
        chmod(file, 0o600)
        #expect(!isOwn(file, S_IFDIR) && !isOwn(root + "/link", S_IFREG) && !isOwn(root + "/none", S_IFREG))
        #expect(isOwn(root, S_IFDIR) && !isOwn(root, S_IFREG))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give a file away"))
    func aFolderOfAnotherUserIsRefused() throws {
        try "".write(toFile: root + "/file", atomically: false, encoding: .utf8)
        try FileManager.default.createDirectory(atPath: root + "/folder", withIntermediateDirectories: true)
        for name in ["/file", "/folder"] { try #require(chown(root + name, 65534, 65534) == 0) }
        #expect(defect(root + "/folder") == .ofAnotherUser)
        #expect(!isOwn(root + "/folder", S_IFDIR) && !isOwn(root + "/file", S_IFREG))
    }
}
