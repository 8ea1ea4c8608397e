package io.optimus.tests;

import java.io.IOException;
import java.nio.file.Path;
import org.apache.hadoop.yarn.client.api.YarnClient;

/** A YARN cluster that jobs are submitted to. */
interface Cluster {
    /** The folder with core-site.xml and yarn-site.xml. */
    Path configurationFolder() throws IOException;

    /** The folder with the files of this cluster and of its jobs. */
    Path folder();

    YarnClient client();
}
