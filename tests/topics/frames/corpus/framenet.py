"""A made-up release of FrameNet."""

SPACE = 'xmlns="http://framenet.icsi.berkeley.edu"'
TEXT = "Mia lent us  her bike &amp; lamp on Monday ."
"""Two spaces after the third word; the file's six characters for an ampersand are one."""
DOCUMENT = f"""<?xml version="1.0" encoding="UTF-8"?>
<fullTextAnnotation {SPACE}>
  <header><corpus><document/></corpus></header>
  <sentence ID="7"><text>{TEXT}</text>
    <annotationSet ID="70"><layer name="PENN"><label start="0" end="2" name="np"/></layer></annotationSet>
    <annotationSet status="MANUAL" frameName="Lending" ID="71">
      <layer rank="1" name="Target"><label start="4" end="7" name="Target"/></layer>
      <layer rank="1" name="FE">
        <label start="0" end="2" name="Lender"/>
        <label start="13" end="27" name="Theme"/>
        <label start="29" end="37" name="Time"/>
        <label itype="DNI" name="Term"/>
      </layer>
      <layer rank="2" name="FE"><label start="11" end="13" name="Term"/></layer>
      <layer rank="1" name="GF"><label start="0" end="2" name="Ext"/></layer>
    </annotationSet>
    <annotationSet status="UNANN" frameName="Lending" ID="72"><layer name="Target"/></annotationSet>
  </sentence>
</fullTextAnnotation>"""
