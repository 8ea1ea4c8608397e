package io.optimus.browser;

import static org.junit.Assume.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/** A Chromium with a fresh profile, which notes what it asked for and what scripts complained of. */
final class Browser implements AutoCloseable {
    private static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    private static final Path DRIVER = Path.of("/usr/bin/chromedriver");
    /** The schemes of Chromium's own pages: it starts with one, which goes on loading when the first page is opened. */
    private static final Set<String> OWN_PAGES = Set.of("chrome", "chrome-untrusted");

    private static final String AXE = axe();
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ChromeDriver driver;
    private final List<String> addresses = new ArrayList<>();
    private final List<String> complaints = new ArrayList<>();

    /** Starts it with this profile folder; skips the test where Chromium is lacking. */
    Browser(Path profile) {
        assumeTrue(
                "SKIPPED, Chromium is lacking: apt-get install chromium chromium-driver",
                Files.isExecutable(CHROMIUM) && Files.isExecutable(DRIVER));
        ChromeOptions options = new ChromeOptions();
        options.setBinary(CHROMIUM.toFile());
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--disable-dev-shm-usage",
                "--user-data-dir=" + profile,
                "about:blank");
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        logs.enable(LogType.PERFORMANCE, Level.ALL);
        options.setCapability("goog:loggingPrefs", logs);
        driver = new ChromeDriver(
                new ChromeDriverService.Builder()
                        .usingDriverExecutable(DRIVER.toFile())
                        .build(),
                options);
        size(1400, 1000);
    }

    void open(String address) {
        driver.get(address);
    }

    void size(int width, int height) {
        driver.manage().window().setSize(new Dimension(width, height));
    }

    /** Prefers dark or light colours, as the system of a reader does. */
    void colours(String scheme) {
        driver.executeCdpCommand(
                "Emulation.setEmulatedMedia",
                Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
    }

    void scripts(boolean on) {
        driver.executeCdpCommand("Emulation.setScriptExecutionDisabled", Map.of("value", !on));
    }

    WebElement find(String selector) {
        return driver.findElement(By.cssSelector(selector));
    }

    List<WebElement> all(String selector) {
        return driver.findElements(By.cssSelector(selector));
    }

    String text(String selector) {
        return find(selector).getText();
    }

    /** The value of an attribute; empty if the element has none. */
    String attribute(String selector, String name) {
        String value = find(selector).getDomAttribute(name);
        return value == null ? "" : value;
    }

    String title() {
        return driver.getTitle();
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    Object script(String script, Object... arguments) {
        Object result = ((JavascriptExecutor) driver).executeScript(script, arguments);
        return result == null ? "" : result;
    }

    /** Waits until it holds. */
    void await(String what, BooleanSupplier condition) {
        new WebDriverWait(driver, PATIENCE)
                .ignoring(org.openqa.selenium.StaleElementReferenceException.class)
                .withMessage(what)
                .until(any -> condition.getAsBoolean());
    }

    /** The faults of the page that axe calls serious or critical, with the elements. */
    List<String> seriousFaults() {
        script(AXE);
        Object faults = driver.executeAsyncScript(
                """
                const done = arguments[arguments.length - 1];
                axe.run(document).then(results => done(results.violations
                    .filter(fault => ['serious', 'critical'].includes(fault.impact))
                    .map(fault => fault.id + ': ' + fault.nodes.slice(0, 3).map(node => node.html).join(' '))),
                  fault => done(['axe failed: ' + fault]));
                """);
        return faults instanceof List<?> list
                ? list.stream().map(String::valueOf).toList()
                : List.of("axe: " + faults);
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(script, "axe.min.js").readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The whole page as a picture in the folder of screenshots. */
    Path picture(String name) {
        Number height = (Number) script("return document.documentElement.scrollHeight");
        return picture(name, height.intValue() + 200);
    }

    /** The upper {@code height} pixels of the page, at most 4,000. */
    Path picture(String name, int height) {
        Path file = Path.of(System.getProperty("optimus.screenshots", "target/screenshots"), name + ".png");
        Dimension before = driver.manage().window().getSize();
        size(before.getWidth(), Math.min(4000, height));
        try {
            Files.createDirectories(file.getParent());
            Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        size(before.getWidth(), before.getHeight());
        return file;
    }

    /** Every address that the pages it opened asked for so far; not what Chromium's own pages ask Chromium for. */
    List<String> addresses() {
        for (LogEntry entry : driver.manage().logs().get(LogType.PERFORMANCE)) {
            try {
                JsonNode message =
                        new ObjectMapper().readTree(entry.getMessage()).path("message");
                if (message.path("method").asText().equals("Network.requestWillBeSent")
                        && !OWN_PAGES.contains(scheme(message.at("/params/documentURL")))) {
                    addresses.add(message.at("/params/request/url").asText());
                }
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return List.copyOf(addresses);
    }

    private static String scheme(JsonNode address) {
        return address.asText().replaceAll(":.*", "");
    }

    /** What the console says of errors and warnings. */
    List<String> complaints() {
        driver.manage().logs().get(LogType.BROWSER).getAll().stream()
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .forEach(complaints::add);
        return List.copyOf(complaints);
    }

    /** The texts of the cells of each row. */
    List<List<String>> rows(String table) {
        return all(table + " tbody tr").stream()
                .map(row -> Stream.of(row)
                        .flatMap(each -> each.findElements(By.cssSelector("th, td")).stream())
                        .map(WebElement::getText)
                        .toList())
                .toList();
    }

    @Override
    public void close() {
        driver.quit();
    }
}
