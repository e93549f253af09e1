package dev.loopproof.testcontainers;

import java.nio.file.Path;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.containers.wait.strategy.Wait;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.MountableFile;

/** A container with the mock provider, which plays the scripts of a folder. */
public class LoopproofContainer extends GenericContainer<LoopproofContainer> {
    private static final int PORT = 8080;

    /** Plays the scripts of a folder. */
    public LoopproofContainer(Path scripts) {
        this(DockerImageName.parse("ghcr.io/loopproof/loopproof"), scripts);
    }

    /** Plays the scripts of a folder in another image. */
    public LoopproofContainer(DockerImageName image, Path scripts) {
        super(image);
        withExposedPorts(PORT);
        withEnv("LOOPPROOF_SCENARIO", "/scripts");
        withCopyFileToContainer(MountableFile.forHostPath(scripts), "/scripts");
        waitingFor(Wait.forHttp("/loopproof/healthz").forPort(PORT));
    }

    /** Sets what a flag of loopproof serve says, as in {@code withSetting("profile", "openai,anthropic")}. */
    public LoopproofContainer withSetting(String flag, String value) {
        return withEnv("LOOPPROOF_" + flag.replace('-', '_').toUpperCase(java.util.Locale.ROOT), value);
    }

    /** Returns the base URL of clients of Anthropic and Google. */
    public String url() {
        return "http://" + getHost() + ":" + getMappedPort(PORT);
    }

    /** Returns the base URL of clients of OpenAI. */
    public String baseUrl() {
        return url() + "/v1";
    }
}
