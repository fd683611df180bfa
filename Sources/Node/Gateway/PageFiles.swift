import PotluckNet

/// The page that browsers get: the files in the folder `Pages`, which the program contains.
public enum PageFiles {
    /// The most bytes of all files together: a phone on bad Wi-Fi loads them in two seconds.
    public static let largest = 160_000

    public static let all: [PageFile] = EmbeddedPage.files.map { file in
        PageFile(name: file.name, octets: Array((file.text + "\n").utf8))
    }
}
