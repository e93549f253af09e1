package dev.loopproof.junit;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds the binary: the one that LOOPPROOF names, that of the artifact loopproof-binary, or one in the PATH. */
final class Binary {
  private Binary() {}

  static String find() {
    String named = System.getenv("LOOPPROOF");
    if (named != null && !named.isEmpty()) return named;
    String name = system().startsWith("windows") ? "loopproof.exe" : "loopproof";
    String resource = "/dev/loopproof/binary/" + system() + "/" + name;
    try (InputStream packed = Binary.class.getResourceAsStream(resource)) {
      if (packed != null) return unpacked(packed, name);
    } catch (IOException e) {
      throw new UncheckedIOException("the binary " + resource + " cannot be unpacked", e);
    }
    return Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name)).filter(Files::isExecutable).map(Path::toString).findFirst()
        .orElseThrow(() -> new IllegalStateException(
            "there is no binary: add the dependency dev.loopproof:loopproof-binary with the classifier " + system()
                + ", install loopproof so that it is in the PATH, or name it in the variable LOOPPROOF"));
  }

  private static String unpacked(InputStream packed, String name) throws IOException {
    Path folder = Files.createTempDirectory("loopproof");
    Path binary = folder.resolve(name);
    Files.copy(packed, binary, StandardCopyOption.REPLACE_EXISTING);
    if (!binary.toFile().setExecutable(true)) throw new IOException(binary + " cannot be made executable");
    folder.toFile().deleteOnExit();
    binary.toFile().deleteOnExit(); // files are deleted in the reverse order: this one first
    return binary.toString();
  }

  /** The name of this system, as in the classifiers: linux-amd64. */
  static String system() {
    String os = System.getProperty("os.name").toLowerCase(Locale.ROOT);
    String arch = System.getProperty("os.arch");
    return (os.startsWith("windows") ? "windows" : os.startsWith("mac") ? "darwin" : os)
        + "-" + (arch.equals("x86_64") ? "amd64" : arch.equals("aarch64") ? "arm64" : arch);
  }
}
