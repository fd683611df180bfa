import Foundation
import Testing

@testable import PotluckMachine

/// What the workshop does with files and folders.
@Suite struct FileTests {
    @Test func removingAFolderKeepsTheTargetsOfItsLinks() throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "potluck-files-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: root) }
        for folder in ["mine", "scratch/inner/empty"] {
            try FileManager.default.createDirectory(atPath: "\(root)/\(folder)", withIntermediateDirectories: true)
        }
        for file in ["mine/letter", "scratch/inner/file"] {
            try "text".write(toFile: "\(root)/\(file)", atomically: false, encoding: .utf8)
        }
        for link in ["scratch/inner/link", "link"] {
            try FileManager.default.createSymbolicLink(atPath: "\(root)/\(link)", withDestinationPath: root + "/mine")
        }
        File.removeFolder(root + "/link")
        File.removeFolder(root + "/scratch")
        #expect(!FileManager.default.fileExists(atPath: root + "/scratch"))
        #expect(FileManager.default.fileExists(atPath: root + "/mine/letter"))
    }
}
